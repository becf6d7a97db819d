#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

namespace planner {

/// The rows with their parameters and, of each row's own answer, all that is not the same for all.
nlohmann::ordered_json to_json(const SweepResult& result);

}  // namespace planner
