// Count and wiring agree on random designs of every topology: cables by layer, and what each switch
// has on each layer. No port is used twice.

#include "planner/site/wiring/wiring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/random_fabrics.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

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
    std::mt19937_64 random(20 + topology);
    int wired = 0;
    for (int tried = 0; wired < kEach && tried < 100 * kEach; ++tried) {
      const auto made = random_fabric(random, topology, 3000, 100'000);
      if (!made) continue;
      const auto& [design, count] = *made;
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
