#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/api/response.hpp"

namespace planner {

/// The answer as the JSON document that --json prints and `planner report` reads again; of a saved
/// answer, that answer itself.
nlohmann::ordered_json answer_json(const Response& response);

/// The same without charts being drawn, where nobody looks at them: the rows of a sweep.
nlohmann::ordered_json figures_json(const Response& response);

}  // namespace planner
