#pragma once

#include <string>

#include "planner/present/document.hpp"

namespace planner::present {

/// The document as the bytes of an Excel workbook: a sheet with all its blocks, then a sheet for
/// each bill of materials. Totals are formulas, so that a changed price changes what the parts
/// cost; a price that is not known is an empty cell, and its line is counted. The same document
/// gives the same bytes.
std::string to_xlsx(const Document& document);

}  // namespace planner::present
