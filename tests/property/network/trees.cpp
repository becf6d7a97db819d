// Every fat tree, plane and rail is wired port by port from its count: ports, links, paths and
// bisection must be what the count says.

#include <cmath>

#include "planner/network/clos/arithmetic.hpp"
#include "port_map.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using namespace planner::wiring;

/// Switches with more ports first, so that only the last pod is partly filled.
void sort_by_ports(const PortMap& map, Nodes& nodes, std::size_t layer) {
  std::stable_sort(nodes.begin(), nodes.end(), [&](Node a, Node b) {
    return map.free_ports(a, layer) > map.free_ports(b, layer);
  });
}

/// Pods are filled in turn; spines and core switches take what comes.
void wire_packed(PortMap& map, Nodes leaves, Nodes spines, const Nodes& cores, std::size_t half) {
  const std::size_t leaf_spine = map.layer("leaf_spine");
  sort_by_ports(map, leaves, leaf_spine);
  if (cores.empty()) return map.join(leaves, spines, leaf_spine);
  sort_by_ports(map, spines, leaf_spine);
  const std::size_t per_pod = size(map.free_ports(leaves.front(), leaf_spine));
  for (std::size_t pod = 0; pod * half < leaves.size(); ++pod) {
    map.join(slice(leaves, pod * half, half), slice(spines, pod * per_pod, per_pod), leaf_spine);
  }
  map.join(spines, cores, map.layer("spine_core"));
}

/// Every leaf of a pod to all its spines alike, spine j of all pods to the same core switches.
void wire_aligned(PortMap& map, const Nodes& leaves, const Nodes& spines, const Nodes& cores,
                  std::size_t half) {
  const std::size_t leaf_spine = map.layer("leaf_spine");
  if (cores.empty()) {
    map.join(leaves, spines, leaf_spine);
    for (const Node leaf : leaves) {
      for (const Node spine : spines) {
        REQUIRE(map.links_between(leaf, spine) ==
                map.links_between(leaves.front(), spines.front()));
      }
    }
    return;
  }
  const std::size_t per_pod = size(map.free_ports(leaves.front(), leaf_spine));
  for (std::size_t pod = 0; pod * half < leaves.size(); ++pod) {
    map.join(slice(leaves, pod * half, half), slice(spines, pod * per_pod, per_pod), leaf_spine);
  }
  const std::size_t per_spine = cores.size() / per_pod;
  for (std::size_t j = 0; j < per_pod; ++j) {
    map.join(every(spines, j, per_pod), slice(cores, j * per_spine, per_spine),
             map.layer("spine_core"));
  }
}

/// Each rail's leaves to the rail's own spines, spines of all rails to the same groups of cores.
void wire_rail_spines(PortMap& map, const Nodes& leaves, const Nodes& spines, const Nodes& cores,
                      std::size_t rails) {
  const std::size_t per_rail = spines.size() / rails;
  const std::size_t spine_core = map.layer("spine_core");
  for (std::size_t rail = 0; rail < rails; ++rail) {
    map.join(every(leaves, rail, rails), slice(spines, rail * per_rail, per_rail),
             map.layer("leaf_spine"));
  }
  const auto groups = fewest_parallel_groups(static_cast<std::int64_t>(per_rail),
                                             map.free_ports(spines.front(), spine_core),
                                             static_cast<std::int64_t>(cores.size()));
  const std::size_t group_count = size(groups->groups.value());
  for (std::size_t group = 0; group < group_count; ++group) {
    map.join(every(spines, group, group_count),
             slice(cores, group * size(groups->per_group.value()), size(groups->per_group.value())),
             spine_core);
  }
}

enum class Style { packed, aligned, rail_spines };

PortMap wire(const FabricDesign& design, std::size_t trees, Style style, std::size_t rails = 1) {
  PortMap map(counted(design));
  const std::size_t half = size(design.radix / 2);
  for (std::size_t tree = 0; tree < trees && map.count().tiers > 1; ++tree) {
    const Nodes leaves = every(map.tier("leaf"), tree, trees);
    const Nodes spines = every(map.tier("spine"), tree, trees);
    const Nodes cores = every(map.tier("core"), tree, trees);
    if (style == Style::packed) wire_packed(map, leaves, spines, cores, half);
    if (style == Style::aligned) wire_aligned(map, leaves, spines, cores, half);
    if (style == Style::rail_spines) wire_rail_spines(map, leaves, spines, cores, rails);
  }
  for (std::size_t layer = 0; layer < map.count().layers.size(); ++layer) {
    if (map.count().layers[layer].host) map.attach_hosts(map.tier("leaf"), layer);
  }
  map.check_ports();
  map.check_radix(design.port_gbps);
  return map;
}

void check_paths(const PortMap& map) {
  CHECK(map.longest_path() == map.count().max_hops);
}

/// Both halves of the hosts, as they are numbered, reach each other at the counted bandwidth, or at
/// `share` of it. An odd host too many or too few does not count.
void check_bisection(const PortMap& map, double share = 1) {
  const Nodes& hosts = map.hosts();
  const std::int64_t gbps = map.count().layers[0].gbps;
  const std::size_t half = hosts.size() / 2;
  const std::int64_t links =
      map.flow(slice(hosts, 0, half), slice(hosts, half, hosts.size())) / gbps;
  CHECK(links >= std::floor(share * static_cast<double>(*map.count().bisection_gbps / gbps)));
}

TEST_CASE("port map: packed fat trees of any size") {
  for (const std::int64_t radix : {4, 6, 8}) {
    const std::int64_t most = counted({.radix = radix, .topology = FatTree{}}).max_endpoints;
    for (std::int64_t gpus = 1; gpus <= most; ++gpus) {
      CAPTURE(radix);
      CAPTURE(gpus);
      const PortMap map =
          wire({.gpus = gpus, .radix = radix, .topology = FatTree{}}, 1, Style::packed);
      REQUIRE(static_cast<std::int64_t>(map.hosts().size()) == gpus);
      const int path = map.longest_path();
      REQUIRE(path >= 0);
      REQUIRE(path <= map.count().max_hops);
      check_bisection(map, map.count().tiers == 3 ? 0.875 : 1);
    }
  }
}

TEST_CASE("port map: packed fat trees have full bisection where they are full") {
  for (const std::int64_t radix : {4, 6, 8}) {
    for (const std::int64_t gpus : {radix, radix * radix / 2, radix * radix * radix / 4}) {
      const PortMap map =
          wire({.gpus = gpus, .radix = radix, .topology = FatTree{}}, 1, Style::packed);
      CHECK(*map.count().bisection_gbps == gpus / 2 * 400);
      check_bisection(map);
      check_paths(map);
    }
  }
}

TEST_CASE("port map: oversubscribed fat trees") {
  for (const Ratio ratio : {Ratio{2, 1}, Ratio{3, 1}, Ratio{5, 3}}) {
    for (const std::int64_t gpus : {9, 40, 48, 100, 160}) {
      CAPTURE(ratio.down);
      CAPTURE(gpus);
      const PortMap packed = wire({.gpus = gpus,
                                   .radix = 8,
                                   .topology = FatTree{.oversubscription = ratio, .max_tiers = 3}},
                                  1, Style::packed);
      CHECK(packed.longest_path() >= 0);
      const PortMap aligned =
          wire({.gpus = gpus,
                .radix = 8,
                .topology = FatTree{.oversubscription = ratio, .pod_aligned = true}},
               1, Style::aligned);
      CHECK(aligned.longest_path() >= 0);
      check_bisection(aligned);
    }
  }
}

TEST_CASE("port map: pod-aligned fat trees of any size, full bisection") {
  for (const std::int64_t radix : {4, 8}) {
    const std::int64_t most = radix * radix * radix / 4;
    for (std::int64_t gpus = 1; gpus <= most; gpus += 1 + gpus / 8) {
      CAPTURE(radix);
      CAPTURE(gpus);
      const PortMap map =
          wire({.gpus = gpus, .radix = radix, .topology = FatTree{.pod_aligned = true}}, 1,
               Style::aligned);
      REQUIRE(static_cast<std::int64_t>(map.hosts().size()) == gpus);
      REQUIRE(map.longest_path() >= 0);
      check_bisection(map);
    }
  }
}

TEST_CASE("port map: rail-only and multi-plane trees are disjoint") {
  for (const std::int64_t gpus : {5, 16, 17, 32, 33, 47, 64, 90, 128}) {
    CAPTURE(gpus);
    const PortMap rails =
        wire({.gpus = gpus, .radix = 8, .topology = RailOnly{.rails = 4}}, 4, Style::packed);
    CHECK(static_cast<std::int64_t>(rails.hosts().size()) == gpus);
    const PortMap planes =
        wire({.gpus = gpus, .radix = 8, .topology = MultiPlane{.planes = 4}}, 4, Style::packed);
    CHECK(static_cast<std::int64_t>(planes.hosts().size()) == gpus);
    if (gpus > 32) CHECK(rails.longest_path() == -1);
  }
}

TEST_CASE("port map: rail-optimized networks and SuperPODs, partly filled units included") {
  for (const std::int64_t gpus : {1, 7, 8, 16, 17, 31, 32, 33, 50, 64, 100, 128}) {
    CAPTURE(gpus);
    const PortMap map =
        wire({.gpus = gpus, .radix = 8, .topology = RailOptimized{.rails = 4}}, 1, Style::aligned);
    CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus);
    CHECK(map.longest_path() <= map.count().max_hops);
    check_bisection(map);
  }
  for (std::int64_t units = 1; units <= 8; ++units) {
    CAPTURE(units);
    const SuperPod pod{.scalable_units = units,
                       .nodes_per_unit = 4,
                       .gpus_per_node = 4,
                       .fabric_manager_ports = 3};
    const PortMap map = wire({.radix = 8, .topology = pod}, 1, Style::aligned);
    CHECK(map.count().endpoints == units * 16 - 4);
    CHECK(static_cast<std::int64_t>(map.hosts().size()) == units * 16 - 4 + 3);
    check_bisection(map);
  }
}

TEST_CASE("port map: rails with spines of their own where units do not fill pods") {
  // 8 rails, k = 40: 2.5 units would fill a pod of 20 leaves.
  for (const std::int64_t units : {6, 7, 20}) {
    CAPTURE(units);
    const SuperPod pod{.scalable_units = units, .nodes_per_unit = 20};
    const PortMap map = wire({.radix = 40, .topology = pod}, 1, Style::rail_spines, 8);
    const std::vector<int> distance = map.distances(map.hosts().front());
    for (const Node host : map.hosts()) REQUIRE(distance[size(host)] >= 0);
    check_bisection(map);
  }
}

TEST_CASE("port map: two planes of a SuperPOD") {
  const SuperPod pod{.scalable_units = 3, .nodes_per_unit = 4, .gpus_per_node = 2, .planes = 2};
  const PortMap map = wire({.radix = 8, .topology = pod}, 2, Style::aligned);
  CHECK(map.hosts().size() == 2 * 24);  // one per port here
}

}  // namespace
