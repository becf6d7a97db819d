#include "planner/network/bandwidth_tiers.hpp"

#include <algorithm>
#include <array>

#include "planner/core/real.hpp"
#include "planner/network/topologies/fabric_units.hpp"

namespace planner::inline network {

std::vector<NetworkTier> bandwidth_tiers(const FabricDesign& design, const FabricCount& count,
                                         std::int64_t gpus) {
  const std::int64_t per_endpoint = std::max<std::int64_t>(1, gpus / count.endpoints);
  const FabricUnits units = fabric_units(design, count).value_or(FabricUnits{});
  const std::array capacities{units.leaf, units.pod};
  std::vector<NetworkTier> tiers;
  double share = 1;
  for (std::size_t i = 0; i < std::min(capacities.size(), count.switches.size()); ++i) {
    const std::optional<Ratio>& ratio = count.switches[i].oversubscription;
    if (capacities[i] == 0 || !ratio || ratio->down <= ratio->up) continue;
    share *= real(ratio->up) / real(ratio->down);
    tiers.push_back({.gpus = capacities[i] * per_endpoint, .bandwidth_share = share});
  }
  return tiers;
}

}  // namespace planner::network
