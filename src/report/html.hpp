#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace planner {

/// A comparison or a cluster's cost as one self-contained HTML page: figures, charts, fonts and
/// scripts inside, nothing fetched. Takes the JSON answer, new or saved, and shows what it holds.
std::string render_html(const nlohmann::ordered_json& answer);

}  // namespace planner
