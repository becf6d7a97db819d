#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Buying against renting `gpus` GPUs at `rent` each for the hours in which they are used:
/// capex / (rent per year - opex per year). Nothing: beyond Money's range.
std::optional<BreakEven> break_even(const Economics& economics, const Estimate<UsdPerSecond>& rent,
                                    std::int64_t gpus, const Estimate<Money>& capex,
                                    const Estimate<Money>& opex_per_year, const Ownership& owned);

}  // namespace planner::cost
