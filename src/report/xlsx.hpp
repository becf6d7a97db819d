#pragma once

#include <string>

#include "planner/report/answer_view.hpp"

namespace planner {

/// An answer as the bytes of an Excel workbook. A comparison or a cluster's cost: a sheet with the
/// clusters side by side, then a bill of materials for each; a network: its counts and its bill; a
/// sweep: its table. Totals are formulas, so that a changed price
/// changes the capital cost on all sheets; a price that is not known is an empty cell, and its line
/// is counted. The same answer gives the same bytes.
/// @throws InputError "not-an-answer" where a saved answer has no bill
std::string render_xlsx(const Json& answer);

}  // namespace planner
