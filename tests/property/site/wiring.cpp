// Count and wiring agree on random designs of every topology: cables by layer, and what each switch
// has on each layer. No port is used twice.

#include "planner/site/wiring/wiring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "planner/network/count.hpp"

namespace {

using namespace planner;

using Random = std::mt19937_64;

std::int64_t any(Random& random, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}
std::int64_t even(Random& random, std::int64_t least, std::int64_t most) {
  return 2 * any(random, least / 2, most / 2);
}
Ratio ratio(Random& random) {
  if (any(random, 0, 1) == 0) return {};
  return {any(random, 1, 4), any(random, 1, 3)};
}

TopologyOptions options_of(Random& random, int topology) {
  const bool flag = any(random, 0, 1) == 1;
  switch (topology) {
    case 0:
      return FatTree{.oversubscription = ratio(random), .pod_aligned = flag};
    case 1:
      return RailOptimized{.rails = any(random, 1, 12),
                           .planes = any(random, 1, 3),
                           .oversubscription = ratio(random)};
    case 2:
      return SuperPod{.nodes_per_unit = any(random, 2, 10),
                      .gpus_per_node = any(random, 1, 8),
                      .planes = any(random, 1, 2),
                      .fabric_manager_ports = any(random, 0, 5)};
    case 3:
      return RailOnly{
          .rails = any(random, 1, 20), .oversubscription = ratio(random), .pod_aligned = flag};
    case 4: {
      const std::int64_t planes = any(random, 1, 5);
      return MultiPlane{.planes = planes,
                        .ports_per_gpu = any(random, 1, planes),
                        .oversubscription = ratio(random),
                        .pod_aligned = flag,
                        .max_tiers = any(random, 2, 3)};
    }
    case 5:
      return Hpn{.rails = any(random, 1, 6),
                 .tors_per_rail = any(random, 1, 2),
                 .tor_host_ports = any(random, 4, 30),
                 .tor_backup_ports = any(random, 0, 3),
                 .tor_uplinks = any(random, 2, 12),
                 .agg_core_ports = any(random, 1, 6),
                 .rail_only_tier2 = flag,
                 .max_pods = any(random, 1, 4)};
    case 6: {
      const std::int64_t aggs = any(random, 2, 6);
      const std::int64_t tors = any(random, 2, 8);
      return DcnPlus{.gpus_per_segment = any(random, 4, 40),
                     .segments_per_pod = any(random, 1, 4),
                     .max_pods = any(random, 1, 6),
                     .tors_per_segment = tors,
                     .ports_per_gpu = any(random, 1, 2),
                     .tor_uplinks = aggs * any(random, 1, 2),
                     .aggs_per_pod = aggs,
                     .agg_core_ports = any(random, 1, 16)};
    }
    case 7:
      return MetaAiZone{.gpus_per_rack = any(random, 1, 16),
                        .racks_per_zone = any(random, 1, 20),
                        .rtsw_oversubscription = flag ? Ratio{8, 9} : Ratio{},
                        .zone_oversubscription = {any(random, 1, 7), 1}};
    case 8: {
      const std::int64_t zones = any(random, 1, 3);
      return TwoZoneFatTree{.zones = zones,
                            .zone_switches = any(random, 0, 2),
                            .inter_zone_links = 2 * any(random, 0, 4),
                            .storage_ports_per_zone = any(random, 0, 9)};
    }
    case 9:
      if (flag) return Dragonfly{};
      return Dragonfly{.hosts_per_router = any(random, 1, 4),
                       .routers_per_group = any(random, 1, 7),
                       .global_per_router = any(random, 1, 4)};
    case 10:
      return SlimFly{};
    default:
      return Torus{.cube_edge = any(random, 1, 4), .ocs_spare_ports = 0, .ocs = flag};
  }
}

/// Ports by layer of one switch, and how many switches have them.
using Ports = std::map<std::string, std::int64_t>;
using Switches = std::map<Ports, std::int64_t>;

std::map<std::string, Switches> counted_switches(const FabricCount& count) {
  std::map<std::string, Switches> all;
  for (const SwitchTier& tier : count.switches) {
    for (const SwitchGroup& group : tier.groups) {
      Ports ports;
      for (const PortUse& use : group.ports) ports[count.layers[use.layer].name] += use.ports;
      all[tier.name][ports] += group.count;
    }
  }
  return all;
}

std::map<std::string, Switches> wired_switches(const site::Wiring& wiring) {
  std::vector<std::vector<Ports>> ports;
  for (const site::DeviceKind& kind : wiring.kinds) ports.emplace_back(kind.count);
  for (const site::WiredLayer& layer : wiring.layers) {
    for (const site::Link& link : layer.links) {
      ++ports[layer.from][link.from][layer.name];
      ++ports[layer.to][link.to][layer.name];
    }
  }
  std::map<std::string, Switches> all;
  for (std::size_t i = 0; i < wiring.kinds.size(); ++i) {
    if (!wiring.kinds[i].is_switch) continue;
    for (const Ports& of : ports[i]) ++all[wiring.kinds[i].name][of];
  }
  return all;
}

bool no_port_twice(const site::Wiring& wiring) {
  std::vector<std::uint64_t> ends;
  for (const site::WiredLayer& layer : wiring.layers) {
    for (const site::Link& link : layer.links) {
      ends.push_back(layer.from << 52 | std::uint64_t{link.from} << 20 | link.from_port);
      ends.push_back(layer.to << 52 | std::uint64_t{link.to} << 20 | link.to_port);
    }
  }
  std::sort(ends.begin(), ends.end());
  return std::adjacent_find(ends.begin(), ends.end()) == ends.end();
}

TEST_CASE("property: wiring and count agree on random designs of every topology") {
  constexpr int kEach = 150;
  for (int topology = 0; topology < 12; ++topology) {
    Random random(20 + topology);
    int wired = 0;
    for (int tried = 0; wired < kEach && tried < 100 * kEach; ++tried) {
      FabricDesign design{
          .radix = even(random, 4, 40), .port_gbps = 200, .topology = options_of(random, topology)};
      design.gpus = any(random, 1, any(random, 1, 3000));
      const CountResult result = count_fabric(design);
      if (!std::holds_alternative<FabricCount>(result)) continue;
      const auto& count = std::get<FabricCount>(result);
      if (count.total_links() > 100'000) continue;
      ++wired;
      CAPTURE(name_of(topology_of(design)));
      CAPTURE(*design.gpus);
      CAPTURE(design.radix);
      CAPTURE(tried);
      const site::Wiring wiring = site::wire(design, count);
      std::map<std::string, std::int64_t> links;
      for (const site::WiredLayer& layer : wiring.layers) {
        links[layer.name] = static_cast<std::int64_t>(layer.links.size());
      }
      for (const LinkLayer& layer : count.layers) {
        CAPTURE(layer.name);
        REQUIRE(links[layer.name] == layer.links);
      }
      REQUIRE(wiring.cables() == count.total_links());
      REQUIRE(counted_switches(count) == wired_switches(wiring));
      REQUIRE(no_port_twice(wiring));
    }
    CAPTURE(topology);
    CHECK(wired == kEach);
  }
}

TEST_CASE("property: a slim fly has diameter 2 and no two cables between the same routers") {
  for (const std::int64_t q : {3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27}) {
    CAPTURE(q);
    const FabricDesign design{.gpus = 2 * q * q, .radix = 96, .topology = SlimFly{.q = q}};
    const site::Wiring wiring = site::wire(design, std::get<FabricCount>(count_fabric(design)));
    const auto routers = static_cast<std::size_t>(2 * q * q);
    std::vector<std::set<std::uint32_t>> next(routers);
    const site::WiredLayer& layer = wiring.layers.back();
    for (const site::Link& link : layer.links) {
      REQUIRE(link.from != link.to);
      REQUIRE(next[link.from].insert(link.to).second);
      next[link.to].insert(link.from);
    }
    std::set<std::uint32_t> near = next[0];  // vertices of the same half are alike
    std::set<std::uint32_t> far = near;
    for (const std::uint32_t one : near) far.insert(next[one].begin(), next[one].end());
    far.insert(0);
    REQUIRE(far.size() == routers);
  }
}

}  // namespace
