#pragma once

#include <string>

#include "planner/report/document.hpp"

namespace planner {

/// The table as CSV: RFC 4180 with a header, numbers as plain decimals, an empty field where a
/// value is not known. Text that a spreadsheet would run as a formula (it starts with = + - @, a
/// tab or a carriage return) is led by an apostrophe.
std::string to_csv(const DataTable& table);

}  // namespace planner
