#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/job_names.hpp"
#include "planner/job/forecast.hpp"

namespace planner {

/// What routing and failures make of a run: days, dollars, time lost, and the answers of `routing`
/// and `reliability` behind them.
nlohmann::ordered_json to_json(const Forecast& forecast);

}  // namespace planner
