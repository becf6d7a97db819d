#pragma once

#include <optional>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Rated power of all lines together, and of the facility around them: IT power times PUE. Where no
/// part's power is known, the facility's is not 0 but missing.
PowerDraw power_draw(const BillOfMaterials& bill, const std::optional<Estimate<double>>& pue);

}  // namespace planner::cost
