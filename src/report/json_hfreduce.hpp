#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/hfreduce_result.hpp"

// The JSON of HFReduce's bounds.
namespace planner {

nlohmann::ordered_json to_json(const HfReduceResult& result);
/// What the bounds were computed for, defaults named.
nlohmann::ordered_json inputs_json(const HfReduceResult& result);

}  // namespace planner
