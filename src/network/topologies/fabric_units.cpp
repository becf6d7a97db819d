#include "planner/network/topologies/fabric_units.hpp"

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

bool uses_layer(const SwitchTier& tier, std::size_t layer) {
  return std::any_of(tier.groups.begin(), tier.groups.end(), [&](const SwitchGroup& group) {
    return std::any_of(group.ports.begin(), group.ports.end(),
                       [&](const PortUse& use) { return use.layer == layer && use.ports > 0; });
  });
}

}  // namespace

TierPorts ports_of(const FabricCount& count, std::size_t tier) {
  TierPorts most;
  for (const SwitchGroup& group : count.switches[tier].groups) {
    TierPorts ports;
    for (const PortUse& use : group.ports) {
      const LinkLayer& layer = count.layers[use.layer];
      if (layer.host && layer.name == "host") {
        ports.hosts += use.ports;
        ports.hosts_gbps = real(layer.gbps);
      } else if (tier + 1 < count.switches.size() &&
                 uses_layer(count.switches[tier + 1], use.layer)) {
        ports.up += use.ports;
        ports.up_gbps = real(layer.gbps);
      } else if (tier > 0 && uses_layer(count.switches[tier - 1], use.layer)) {
        ports.down += use.ports;
      }
    }
    if (ports.hosts + ports.down > most.hosts + most.down) most = ports;
  }
  return most;
}

std::optional<FabricUnits> fabric_units(const FabricDesign& design, const FabricCount& count) {
  if (count.switches.empty()) return std::nullopt;
  const TierPorts leaf = ports_of(count, 0);
  const TreePorts tree{.count = count,
                       .leaf = leaf.hosts,
                       .uplinks = leaf.up,
                       .spine = count.switches.size() < 2 ? 0 : ports_of(count, 1).down,
                       .radix = design.radix};
  return std::visit(
      [&](const auto& options) -> std::optional<FabricUnits> {
        const auto units = facts_of(options).units;
        if (units == nullptr) return std::nullopt;
        return units(tree, options);
      },
      design.topology);
}

}  // namespace planner::network
