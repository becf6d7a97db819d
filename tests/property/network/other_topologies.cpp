// HPN, DCN+, Meta's AI Zone, Fire-Flyer's zones, dragonfly and torus, wired port by port.

#include <array>

#include "planner/network/clos/arithmetic.hpp"
#include "port_map.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
using namespace planner::wiring;

/// Switches of equal pods to a tier of parallel groups: member m of every pod to group m mod G.
void join_groups(PortMap& map, const Nodes& lower, const Nodes& upper, std::size_t members,
                 std::string_view layer_name) {
  const std::size_t layer = map.layer(layer_name);
  const auto groups = fewest_parallel_groups(static_cast<std::int64_t>(members),
                                             map.free_ports(lower.front(), layer),
                                             static_cast<std::int64_t>(upper.size()));
  REQUIRE(groups);
  REQUIRE(groups->switches() == Whole{static_cast<std::int64_t>(upper.size())});
  const std::size_t per_group = size(groups->per_group.value());
  for (std::size_t group = 0; group * per_group < upper.size(); ++group) {
    map.join(every(lower, group, size(groups->groups.value())),
             slice(upper, group * per_group, per_group), layer);
  }
}

void check(PortMap& map, const FabricDesign& design) {
  map.check_ports();
  map.check_radix(design.port_gbps);
}

void check_half(const PortMap& map) {
  const std::size_t half = map.hosts().size() / 2;
  const std::int64_t flow =
      map.flow(slice(map.hosts(), 0, half), slice(map.hosts(), half, map.hosts().size()));
  CHECK(flow + map.count().layers[0].gbps * 2 > *map.count().bisection_gbps);
}

// 2 rails, 4 + 1 hosts per ToR at half speed, 2 uplinks, 8-port chips of which 2 go to the core.
FabricDesign small_hpn(std::int64_t gpus, bool rail_only, std::int64_t pods) {
  return {.gpus = gpus,
          .radix = 8,
          .port_gbps = 400,
          .topology = Hpn{.rails = 2,
                          .tor_host_ports = 4,
                          .tor_backup_ports = 1,
                          .tor_uplinks = 2,
                          .agg_core_ports = 2,
                          .rail_only_tier2 = rail_only,
                          .max_pods = pods}};
}

PortMap wire_hpn(const FabricDesign& design) {
  PortMap map(counted(design));
  const Hpn& options = std::get<Hpn>(design.topology);
  const Nodes tors = map.tier("tor");
  const Nodes aggs = map.tier("agg");
  const std::size_t segment = size(options.rails * options.tors_per_rail);
  const std::size_t planes = size(map.count().planes);
  const std::size_t segments_per_pod =
      size(design.radix - options.agg_core_ports) / (segment / planes);
  const std::size_t segments = tors.size() / segment;
  const std::size_t pods = (segments + segments_per_pod - 1) / segments_per_pod;
  // A single pod that is not full has fewer, with several links from each ToR.
  const std::size_t plane_aggs = aggs.size() / planes / pods;
  const std::size_t links_each = size(options.tor_uplinks) / plane_aggs;
  const std::size_t pod_aggs = planes * plane_aggs;
  map.attach_hosts(tors, map.layer("host"), size(options.tors_per_rail));
  for (std::size_t i = 0; i < tors.size(); ++i) {
    const std::size_t pod = i / segment / segments_per_pod;
    const std::size_t plane = i % planes;
    for (const Node agg : slice(aggs, pod * pod_aggs + plane * plane_aggs, plane_aggs)) {
      for (std::size_t link = 0; link < links_each; ++link) {
        map.link(tors[i], agg, map.layer("tor_agg"));
      }
    }
  }
  const Nodes cores = map.tier("core");
  for (std::size_t plane = 0; plane < planes && !cores.empty(); ++plane) {
    Nodes plane_nodes;
    for (std::size_t i = 0; i < aggs.size(); ++i) {
      if (i % pod_aggs / plane_aggs == plane) plane_nodes.push_back(aggs[i]);
    }
    join_groups(map, plane_nodes,
                slice(cores, plane * cores.size() / planes, cores.size() / planes), plane_aggs,
                "agg_core");
  }
  return map;
}

TEST_CASE("port map: HPN") {
  for (const bool rail_only : {false, true}) {
    for (const std::int64_t pods : {1, 3}) {
      FabricDesign design = small_hpn(8, rail_only, pods);
      const std::int64_t most = counted(design).max_endpoints;
      CHECK(most == (rail_only ? 6 : 3) * 8 * pods);
      for (std::int64_t gpus = 1; gpus <= most; gpus += 3) {
        CAPTURE(rail_only);
        CAPTURE(gpus);
        design.gpus = gpus;
        PortMap map = wire_hpn(design);
        CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus);
        if (!rail_only && gpus > 1) {
          CHECK(map.longest_path() <= map.count().max_hops);
          check_half(map);
        }
        map.attach_hosts(map.tier("tor"), map.layer("host_backup"), 2);
        CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus + map.count().backup_endpoints);
        check(map, design);
      }
    }
  }
}

TEST_CASE("port map: DCN+") {
  const DcnPlus options{.gpus_per_segment = 8,
                        .segments_per_pod = 2,
                        .max_pods = 4,
                        .tors_per_segment = 4,
                        .tor_uplinks = 2,
                        .aggs_per_pod = 2,
                        .agg_core_ports = 8};
  for (const std::int64_t gpus : {1, 5, 8, 9, 16, 17, 31, 32, 48, 64}) {
    CAPTURE(gpus);
    const FabricDesign design{.gpus = gpus, .radix = 16, .topology = options};
    PortMap map(counted(design));
    const Nodes tors = map.tier("tor");
    const Nodes aggs = map.tier("agg");
    map.attach_hosts(tors, map.layer("host"), 2);
    for (std::size_t pod = 0; pod * 8 < tors.size(); ++pod) {
      map.join(slice(tors, pod * 8, 8), slice(aggs, pod * 2, 2), map.layer("tor_agg"));
    }
    if (!map.tier("core").empty()) join_groups(map, aggs, map.tier("core"), 2, "agg_core");
    check(map, design);
    CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus);
    CHECK(map.longest_path() <= map.count().max_hops);
    CHECK(map.longest_path() >= 0);
    check_half(map);
  }
}

TEST_CASE("port map: Meta's AI Zone") {
  const MetaAiZone options{.gpus_per_rack = 4,
                           .racks_per_zone = 6,
                           .ctsw_ports = 16,
                           .zone_oversubscription = {.down = 3, .up = 1},
                           .atsw_ports = 8,
                           .max_zones = 4};
  for (const std::int64_t gpus : {1, 4, 7, 24, 25, 48, 70, 96}) {
    CAPTURE(gpus);
    const FabricDesign design{.gpus = gpus, .radix = 8, .topology = options};
    PortMap map(counted(design));
    const Nodes racks = map.tier("rtsw");
    const Nodes spines = map.tier("ctsw");
    const std::size_t zones = size(map.count().units);
    const std::size_t per_zone = spines.size() / zones;
    map.attach_hosts(racks, map.layer("host"));
    for (std::size_t zone = 0; zone < zones; ++zone) {
      map.join(slice(racks, zone * 6, 6), slice(spines, zone * per_zone, per_zone),
               map.layer("rtsw_ctsw"));
    }
    if (zones > 1) join_groups(map, spines, map.tier("atsw"), per_zone, "ctsw_atsw");
    check(map, design);
    CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus);
    CHECK(map.longest_path() <= map.count().max_hops);
    CHECK(map.longest_path() >= 0);
    check_half(map);
  }
}

TEST_CASE("port map: two zones with storage and links between") {
  for (const std::int64_t switches : {0, 1, 2}) {
    for (const std::int64_t gpus : {2, 20, 40, 50}) {
      CAPTURE(switches);
      CAPTURE(gpus);
      const FabricDesign design{
          .gpus = gpus,
          .radix = 8,
          .topology = TwoZoneFatTree{
              .zone_switches = switches, .inter_zone_links = 3, .storage_ports_per_zone = 4}};
      PortMap map(counted(design));
      const std::size_t inter_zone = map.layer("inter_zone");
      const Nodes leaves = map.tier("leaf");
      map.attach_hosts(leaves, map.layer("host"));
      CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus);
      map.attach_hosts(leaves, map.layer("storage"));
      for (std::size_t zone = 0; zone < 2; ++zone) {  // an even number of GPUs: zones alike
        map.join(every(leaves, zone, 2), slice(map.tier("spine"), zone * 4, 4),
                 map.layer("leaf_spine"));
      }
      if (switches > 0) {
        for (std::size_t zone = 0; zone < 2; ++zone) {
          map.join(every(leaves, zone, 2), map.tier("zone"), inter_zone);
        }
      } else {
        for (std::size_t i = 0; i < leaves.size(); i += 2) {
          while (map.free_ports(leaves[i], inter_zone) > 0)
            map.link(leaves[i], leaves[i + 1], inter_zone);
        }
      }
      check(map, design);
      const int path = map.longest_path();
      CHECK(path >= 0);
      CHECK(path <= map.count().max_hops);
    }
  }
}

/// Each group a full mesh; between groups always the pair with the most free ports.
PortMap wire_dragonfly(const FabricDesign& design, std::size_t in_group) {
  PortMap map(counted(design));
  const Nodes routers = map.tier("router");
  const std::size_t groups = routers.size() / in_group;
  const std::size_t global = map.layer("global");
  map.attach_hosts(routers, map.layer("host"));
  for (std::size_t i = 0; i < routers.size(); ++i) {
    for (std::size_t j = i + 1; j < (i / in_group + 1) * in_group; ++j) {
      map.link(routers[i], routers[j], map.layer("local"));
    }
  }
  const auto freest = [&](std::size_t group) {
    const Nodes members = slice(routers, group * in_group, in_group);
    return *std::max_element(members.begin(), members.end(), [&](Node a, Node b) {
      return map.free_ports(a, global) < map.free_ports(b, global);
    });
  };
  const auto has_port = [&](std::size_t group) {
    return map.free_ports(freest(group), global) > 0;
  };
  // Round by round each group meets every other once, as long as both have ports.
  for (bool linked = true; linked;) {
    linked = false;
    for (std::size_t apart = 1; apart < groups; ++apart) {
      for (std::size_t group = 0; group + apart < groups; ++group) {
        if (!has_port(group) || !has_port(group + apart)) continue;
        map.link(freest(group), freest(group + apart), global);
        linked = true;
      }
    }
  }
  return map;
}

TEST_CASE("port map: dragonfly, full and with fewer groups") {
  // p = 2, a = 4, h = 2: up to 9 groups of 8 hosts.
  for (const std::int64_t groups : {1, 2, 3, 5, 9}) {
    CAPTURE(groups);
    const FabricDesign design{.radix = 7,
                              .topology = Dragonfly{.hosts_per_router = 2,
                                                    .routers_per_group = 4,
                                                    .global_per_router = 2,
                                                    .groups = groups}};
    PortMap map = wire_dragonfly(design, 4);
    check(map, design);
    CHECK(static_cast<std::int64_t>(map.hosts().size()) == groups * 8);
    const int path = map.longest_path();
    CHECK(path >= 0);
    CHECK(path <= map.count().max_hops);
    if (groups % 2 == 0) check_half(map);
  }
}

TEST_CASE("port map: dragonfly, partly filled") {
  for (std::int64_t gpus = 1; gpus <= 72; gpus += 5) {
    CAPTURE(gpus);
    const FabricDesign design{.gpus = gpus, .radix = 7, .topology = Dragonfly{}};
    PortMap map = wire_dragonfly(design, 4);
    CHECK(static_cast<std::int64_t>(map.hosts().size()) == gpus);
    map.check_radix(400);
    CHECK(map.longest_path() >= 0);
    CHECK(map.longest_path() <= map.count().max_hops);
  }
}

TEST_CASE("port map: torus of cubes on circuit switches") {
  // 2 × 2 × 2 cubes of edge 2: each optical link is one chip face on one port.
  const FabricDesign design{
      .gpus = 64, .radix = 16, .topology = Torus{.cube_edge = 2, .ocs_spare_ports = 0}};
  const FabricCount count = counted(design);
  constexpr int kSide = 4;
  std::int64_t copper = 0;
  std::int64_t optical = 0;
  std::int64_t cut = 0;  // links across the plane that halves the torus, and round its back
  std::map<std::array<int, 3>, std::int64_t> switch_ports;  // axis, position on the face
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      for (int z = 0; z < kSide; ++z) {
        const std::array<int, 3> chip = {x, y, z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const bool crosses = chip[axis] % 2 == 1;
          if (axis == 0 && (x == 1 || x == 3)) ++cut;
          if (!crosses) {
            ++copper;
            continue;
          }
          optical += 2;  // this chip's face, and that of its neighbour
          switch_ports[{static_cast<int>(axis), chip[(axis + 1) % 3] % 2,
                        chip[(axis + 2) % 3] % 2}] += 2;
        }
      }
    }
  }
  CHECK(count.links_named("within_cube") == copper);
  CHECK(count.links_named("chip_ocs") == optical);
  CHECK(count.total_switches() == static_cast<std::int64_t>(switch_ports.size()));
  for (const auto& [position, ports] : switch_ports) {
    CHECK(ports == count.switches.front().groups.front().ports.front().ports);
    CHECK(ports <= design.radix);
  }
  CHECK(count.bisection_gbps == cut * design.port_gbps);
  CHECK(count.max_hops == 6);
}

}  // namespace
