#pragma once

#include <optional>
#include <vector>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// The lines of each category that has any, summed to the cent. Nothing: beyond Money's range.
std::optional<std::vector<CategoryCost>> capex_by_category(const BillOfMaterials& bill);

/// All lines, summed to the cent. Nothing: beyond Money's range.
std::optional<Total> capex(const BillOfMaterials& bill);

/// Switches, transceivers, cables, cards, or a quote for the whole.
bool is_network(PartCategory category);
/// The categories of the network, summed. Nothing: beyond Money's range.
std::optional<Total> network_total(const std::vector<CategoryCost>& categories);

}  // namespace planner::cost
