#pragma once

#include <optional>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner {

/// The lines of each category that has any, summed to the cent. Nothing: beyond Money's range.
std::optional<std::vector<CategoryCost>> capex_by_category(const BillOfMaterials& bill);

/// All lines, summed to the cent. Nothing: beyond Money's range.
std::optional<Total> capex(const BillOfMaterials& bill);

}  // namespace planner
