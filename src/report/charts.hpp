#pragma once

#include <nlohmann/json_fwd.hpp>

namespace planner {

/// The charts of an answer, [{"name","title","spec"}]: Vega-Lite specifications with their data
/// inside. Charts that the answer has no figures for are left out.
/// Blue is computing, orange moves data between GPUs, grey is the rest: in every stacked bar.
nlohmann::ordered_json charts(const nlohmann::ordered_json& answer);

}  // namespace planner
