#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/job_names.hpp"
#include "planner/api/response.hpp"

// The JSON of failures, checkpoints and the days of a run.
namespace planner {

nlohmann::ordered_json to_json(const ReliabilityResult& result);
/// What the answer was computed from, defaults named.
nlohmann::ordered_json reliability_inputs(const ReliabilityResult& result);

}  // namespace planner
