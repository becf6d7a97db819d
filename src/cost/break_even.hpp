#pragma once

#include <optional>

#include "planner/cost/rent_terms.hpp"
#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Buying, to be sold again, against renting on demand for the hours in which the GPUs are used:
/// from when on it costs less as rent_or_buy() has both, and from which share of the horizon's
/// hours on. Nothing: beyond Money's range, or no rent on demand is known.
std::optional<BreakEven> break_even(const Economics& economics, const RentedGpus& what,
                                    const Estimate<Money>& capex,
                                    const Estimate<Money>& opex_per_year);

}  // namespace planner::cost
