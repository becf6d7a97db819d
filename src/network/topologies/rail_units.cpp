#include "planner/network/topologies/rail_units.hpp"

#include <algorithm>

#include "planner/network/clos/rails.hpp"

namespace planner::inline network {

FabricUnits units_of_rails(const TreePorts& tree, std::int64_t rails, std::int64_t planes) {
  const std::int64_t unit = tree.leaf * rails;
  if (const auto own = rail_spines(tree.count.units, rails, tree.uplinks, tree.radix)) {
    return {.leaf = unit,
            .pod = unit * tree.count.units,
            .spines_of_leaf = own->of_rail.value(),
            .trees = planes};
  }
  return {.leaf = unit,
          .pod = unit * std::max<std::int64_t>(1, tree.radix / 2 / rails),
          .spines_of_leaf = tree.spines_of_two_tiers(planes),
          .trees = planes};
}

}  // namespace planner::network
