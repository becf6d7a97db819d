#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Total cost of ownership: capex - capex·max(0, 1 - horizon/depreciation) + opex·horizon.
/// Nothing: beyond Money's range.
std::optional<Ownership> ownership(const Economics& economics, const Estimate<Money>& capex,
                                   const Estimate<Money>& opex_per_year);

/// Total cost of ownership over the GPU-hours that are used: gpus · horizon · utilisation.
Estimate<Usd> cost_per_gpu_hour(const Economics& economics, const Ownership& owned,
                                std::int64_t gpus);

}  // namespace planner::cost
