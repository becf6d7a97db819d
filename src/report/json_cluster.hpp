#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

// The JSON of clusters.
namespace planner {

nlohmann::ordered_json to_json(const ClusterReport& report);
nlohmann::ordered_json to_json(const CompareResult& result);

}  // namespace planner
