#pragma once

#include <nlohmann/json_fwd.hpp>

// JSON Schemas of what each json_*.cpp writes, beside it. They point to each other and to those of
// files by "#/$defs/NAME".
namespace planner::result_schemas {

nlohmann::ordered_json fabric();
nlohmann::ordered_json bill_lines();
nlohmann::ordered_json cluster();
nlohmann::ordered_json compare();

nlohmann::ordered_json diff();

}  // namespace planner::result_schemas
