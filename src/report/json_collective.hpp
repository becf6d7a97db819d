#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/collective_result.hpp"

// The JSON of a collective's times.
namespace planner {

nlohmann::ordered_json to_json(const CollectiveResult& result);
/// What the times were computed for, defaults named.
nlohmann::ordered_json inputs_json(const CollectiveResult& result);

}  // namespace planner
