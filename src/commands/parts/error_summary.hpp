#pragma once

#include "planner/calibration/error_summary.hpp"
#include "planner/json/answer_fields.hpp"

namespace planner::commands {

/// How far predictions lie from measurements: "median_abs_pct" and its like.
const json::FieldTable<ErrorSummary>& error_summary_fields();

}  // namespace planner::commands
