#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

// The planning commands' part of the JSON answers. Keys carry their units.
namespace planner {

nlohmann::ordered_json to_json(const ResolvedInputs& inputs);
nlohmann::ordered_json to_json(const Plan& plan);
nlohmann::ordered_json to_json(const OptimizeResult& result);
nlohmann::ordered_json to_json(const EstimateResult& result);

}  // namespace planner
