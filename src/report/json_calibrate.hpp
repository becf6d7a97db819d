#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

namespace planner {

nlohmann::ordered_json to_json(const CalibrateResult& result);
nlohmann::ordered_json to_json(const ErrorSummary& summary);

}  // namespace planner
