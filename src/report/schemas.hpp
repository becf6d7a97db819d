#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace planner {

/// JSON Schema (draft 2020-12) of a file type, of the requests that planner_call() reads
/// ("request", from the table of options) or of answers ("answer").
/// @throws InputError "unknown-name" with a hint
nlohmann::ordered_json schema_of(std::string_view type);

}  // namespace planner
