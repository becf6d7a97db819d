#pragma once

#include <string>

#include "planner/report/document.hpp"

namespace planner {

/// The report as Markdown with GitHub's tables. Numbers are for reading: grouped, at most two
/// decimals from 1 on.
std::string to_markdown(const Document& document);

/// As people read it: grouped, at most two decimals from 1 on, three digits below.
std::string readable(double value);

}  // namespace planner
