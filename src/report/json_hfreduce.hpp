#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

namespace planner {

nlohmann::ordered_json to_json(const HfReduceResult& result);

}  // namespace planner
