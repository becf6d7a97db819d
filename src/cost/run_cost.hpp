#pragma once

#include <cstdint>
#include <optional>

#include "planner/cost/cost.hpp"
#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Money, energy and CO2 of one run: its share of the cluster's GPU-hours and power.
/// @param per_gpu_hour  nothing: the run has no cost in money
/// Nothing: beyond Money's range.
std::optional<RunCost> run_cost(const RunLength& run, std::int64_t cluster_gpus,
                                const Economics& economics, const PowerDraw& power,
                                const std::optional<Estimate<Usd>>& per_gpu_hour);

}  // namespace planner::cost
