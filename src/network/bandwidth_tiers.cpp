#include "planner/network/bandwidth_tiers.hpp"

#include <algorithm>

namespace planner {

namespace {

/// Endpoints under one switch of the lowest tier, by its ports; the fullest one.
std::int64_t endpoints_per_leaf(const FabricCount& count) {
  std::int64_t most = 0;
  if (count.switches.empty()) return most;
  for (const SwitchGroup& group : count.switches.front().groups) {
    std::int64_t hosts = 0;
    for (const PortUse& use : group.ports) {
      if (count.layers[use.layer].host) hosts += use.ports;
    }
    most = std::max(most, hosts);
  }
  return most;
}

/// How many endpoints one unit of each tier holds, from the leaves up, for the tiers that a
/// topology can oversubscribe.
struct Capacities {
  const FabricCount& count;

  std::vector<std::int64_t> operator()(const FatTree&) const { return {endpoints_per_leaf(count)}; }
  std::vector<std::int64_t> operator()(const MultiPlane&) const {
    return {endpoints_per_leaf(count)};
  }
  std::vector<std::int64_t> operator()(const RailOptimized& rail) const {
    return {endpoints_per_leaf(count) * rail.rails};
  }
  std::vector<std::int64_t> operator()(const SuperPod& pod) const {
    return {endpoints_per_leaf(count) * pod.gpus_per_node};
  }
  std::vector<std::int64_t> operator()(const RailOnly& rail) const {
    return {endpoints_per_leaf(count) * rail.rails};
  }
  std::vector<std::int64_t> operator()(const Hpn& hpn) const {
    const std::int64_t segment = hpn.tor_host_ports * hpn.rails;
    return {segment, count.max_endpoints / hpn.max_pods};
  }
  std::vector<std::int64_t> operator()(const DcnPlus& dcn) const {
    return {dcn.gpus_per_segment, dcn.gpus_per_segment * dcn.segments_per_pod};
  }
  std::vector<std::int64_t> operator()(const MetaAiZone& zone) const {
    return {zone.gpus_per_rack, zone.gpus_per_rack * zone.racks_per_zone};
  }
  std::vector<std::int64_t> operator()(const TwoZoneFatTree& zones) const {
    return {endpoints_per_leaf(count), count.max_endpoints / zones.zones};
  }
  std::vector<std::int64_t> operator()(const Dragonfly&) const { return {}; }
  std::vector<std::int64_t> operator()(const SlimFly&) const { return {}; }
  std::vector<std::int64_t> operator()(const Torus&) const { return {}; }
};

}  // namespace

std::vector<NetworkTier> bandwidth_tiers(const FabricDesign& design, const FabricCount& count,
                                         std::int64_t gpus_per_endpoint) {
  const std::vector<std::int64_t> capacities = std::visit(Capacities{count}, design.topology);
  std::vector<NetworkTier> tiers;
  double share = 1;
  for (std::size_t i = 0; i < std::min(capacities.size(), count.switches.size()); ++i) {
    const std::optional<Ratio>& ratio = count.switches[i].oversubscription;
    if (!ratio || ratio->down <= ratio->up) continue;
    share *= static_cast<double>(ratio->up) / static_cast<double>(ratio->down);
    tiers.push_back({.gpus = capacities[i] * gpus_per_endpoint, .bandwidth_share = share});
  }
  return tiers;
}

}  // namespace planner
