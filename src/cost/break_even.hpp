#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Buying against renting `gpus` GPUs at `rent` each for the hours in which they are used. Paid
/// back after capex / (rent per year - opex per year) years; where money costs r a year, after the
/// years T whose payments are worth as much on day 0: (1 - (1 + r)^-T) / r, the discounted payback
/// (Brealey, Myers, Allen, chapter 5), taxes left out. The share of the hours is that from which on
/// an hour owned, as equal payments of a year have it, costs less than one rented, both after taxes
/// where there are any. Nothing: beyond Money's range.
std::optional<BreakEven> break_even(const Economics& economics, const Estimate<UsdPerSecond>& rent,
                                    std::int64_t gpus, const Estimate<Money>& capex,
                                    const Estimate<Money>& opex_per_year, const Ownership& owned,
                                    const std::optional<Financed>& financed);

}  // namespace planner::cost
