#pragma once

#include <string>

#include "planner/present/document.hpp"

namespace planner::present {

/// A text as a field: quoted where it must be, and never a formula.
std::string csv_field(const std::string& words);

/// The document as comma-separated values (RFC 4180) for other programs. Its first table comes
/// first, its header in line 1; then, each after an empty line, all that a terminal shows besides,
/// under the titles of its sections. Numbers are plain, their units in the headers; a column with
/// ranges or lower bounds has columns for them behind it. No cell is a formula.
std::string to_csv(const Document& document);

}  // namespace planner::present
