#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Total cost of ownership: capex - residual + opex·horizon, as paid: before the cost of capital.
/// Nothing: beyond Money's range.
std::optional<Ownership> ownership(const Economics& economics, const Estimate<Money>& capex,
                                   const Estimate<Money>& opex_per_year);

/// Total cost of ownership over the GPU-hours that are used: gpus · horizon · utilisation. Where
/// money costs something, the equal payments of a year over those of a year.
Estimate<Usd> cost_per_gpu_hour(const Economics& economics, const Ownership& owned,
                                const std::optional<Financed>& financed, std::int64_t gpus);

}  // namespace planner::cost
