#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

// The JSON of counted networks and bills of materials.
namespace planner {

nlohmann::ordered_json to_json(const NetworkResult& result);
nlohmann::ordered_json to_json(const ClusterReport& report);
nlohmann::ordered_json to_json(const CompareResult& result);
nlohmann::ordered_json fabric_json(const FabricCount& count);
nlohmann::ordered_json bill_lines(const BillOfMaterials& bill);

}  // namespace planner
