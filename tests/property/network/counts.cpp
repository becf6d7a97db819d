// What holds for every count: it grows with the GPUs, both ends of a layer agree, no switch
// exceeds its radix, and no input whatever breaks it.

#include <array>
#include <limits>
#include <random>

#include "port_map.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

constexpr int kTopologies = 12;

struct Named {
  const char* name;
  FabricDesign design;
};

/// The papers' designs and the options that change how they grow.
std::vector<Named> designs() {
  std::vector<Named> all;
  for (int i = 0; i < kTopologies; ++i) {
    const auto topology = static_cast<Topology>(i);
    all.push_back({name_of(topology).data(), default_design(topology)});
  }
  all.push_back({"pod-aligned", {.radix = 16, .topology = FatTree{.pod_aligned = true}}});
  all.push_back({"3:1", {.radix = 16, .topology = FatTree{.oversubscription = {3, 1}}}});
  all.push_back({"1:2", {.radix = 16, .topology = FatTree{.oversubscription = {1, 2}}}});
  all.push_back({"rails of 256", {.radix = 64, .topology = RailOptimized{.rails = 256}}});
  all.push_back({"two planes", {.radix = 16, .topology = RailOptimized{.rails = 4, .planes = 2}}});
  all.push_back({"A100", {.radix = 40, .topology = SuperPod{.nodes_per_unit = 20}}});
  all.push_back({"SuperPOD", {.radix = 64, .topology = SuperPod{.fabric_manager_ports = 4}}});
  all.push_back({"rails share", {.radix = 256, .topology = RailOnly{.rails = 72}}});
  all.push_back(
      {"all planes", {.radix = 64, .topology = MultiPlane{.planes = 4, .ports_per_gpu = 4}}});
  all.push_back(
      {"HPN pods", {.radix = 128, .topology = Hpn{.rail_only_tier2 = true, .max_pods = 4}}});
  all.push_back(
      {"8:9",
       {.radix = 64, .port_gbps = 200, .topology = MetaAiZone{.rtsw_oversubscription = {8, 9}}}});
  all.push_back({"slim fly", {.radix = 64, .topology = SlimFly{}}});
  return all;
}

std::int64_t parts(const FabricCount& count) {
  return count.total_switches() + count.total_links() + count.transceivers + count.modules;
}

TEST_CASE("property: counts never fall when GPUs are added") {
  for (auto& [name, design] : designs()) {
    CAPTURE(name);
    if (auto* pod = std::get_if<SuperPod>(&design.topology)) pod->scalable_units.reset();
    design.gpus.reset();
    const std::int64_t most = std::min<std::int64_t>(counted(design).max_endpoints, 300'000);
    FabricCount before;
    for (std::int64_t gpus = 1; gpus <= most; gpus += 1 + gpus / 60) {
      design.gpus = gpus;
      const FabricCount count = counted(design);
      CAPTURE(gpus);
      REQUIRE(count.endpoints == gpus);
      REQUIRE(count.total_switches() >= before.total_switches());
      REQUIRE(count.host_links() >= before.host_links());
      REQUIRE(count.inter_switch_links() >= before.inter_switch_links());
      REQUIRE(count.transceivers >= before.transceivers);
      REQUIRE(count.modules >= before.modules);
      REQUIRE(count.tiers >= before.tiers);
      REQUIRE(parts(count) > 0);
      before = count;
    }
  }
}

TEST_CASE("property: one GPU beyond the maximum is refused, with the maximum") {
  for (auto& [name, design] : designs()) {
    CAPTURE(name);
    design.gpus.reset();
    const FabricCount full = counted(design);
    design.gpus = full.max_endpoints;
    CHECK(counted(design).max_endpoints == full.max_endpoints);
    design.gpus = full.max_endpoints + 1;
    const CountResult result = count_fabric(design);
    REQUIRE(std::holds_alternative<FabricProblem>(result));
    const FabricProblem& problem = std::get<FabricProblem>(result);
    CHECK(problem.rule == FabricRule::too_many_endpoints);
    CHECK(problem.max_endpoints == full.max_endpoints);
    CHECK_FALSE(problem.bad_value());
  }
}

TEST_CASE("property: more oversubscription never takes more switches") {
  const std::vector<Ratio> ratios = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {7, 1}, {15, 1}};
  const auto with = [](int kind, Ratio ratio) -> TopologyOptions {
    if (kind == 0) return FatTree{.oversubscription = ratio};
    if (kind == 1) return FatTree{.oversubscription = ratio, .pod_aligned = true};
    if (kind == 2) return RailOptimized{.oversubscription = ratio};
    if (kind == 3) return SuperPod{.oversubscription = ratio};
    if (kind == 4) return RailOnly{.rails = 8, .oversubscription = ratio};
    return MultiPlane{.oversubscription = ratio, .max_tiers = 3};
  };
  for (int kind = 0; kind < 6; ++kind) {
    for (const std::int64_t radix : {32, 64, 128}) {
      if (kind == 3 && radix < 64) continue;
      for (std::int64_t gpus = 100; gpus < 8000; gpus += 60 + gpus / 10) {
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        for (const Ratio ratio : ratios) {
          const FabricCount count =
              counted({.gpus = gpus, .radix = radix, .topology = with(kind, ratio)});
          CAPTURE(kind);
          CAPTURE(radix);
          CAPTURE(gpus);
          CAPTURE(ratio.down);
          CHECK(count.total_switches() <= before);
          CHECK(count.oversubscription.down <= ratio.down * count.oversubscription.up);
          before = count.total_switches();
        }
      }
    }
  }
}

/// Everything that a count says twice.
void check_consistency(const FabricCount& count, std::int64_t port_gbps) {
  for (std::size_t layer = 0; layer < count.layers.size(); ++layer) {
    CAPTURE(count.layers[layer].name);
    std::vector<std::int64_t> per_tier;
    for (const SwitchTier& tier : count.switches) {
      std::int64_t ports = 0;
      for (const SwitchGroup& group : tier.groups) {
        for (const PortUse& use : group.ports)
          ports += use.layer == layer ? group.count * use.ports : 0;
      }
      if (ports > 0) per_tier.push_back(ports);
    }
    if (count.layers[layer].host) {
      std::int64_t sum = 0;
      for (const std::int64_t ports : per_tier) sum += ports;
      REQUIRE(sum == count.layers[layer].links);
    } else if (per_tier.size() == 2) {
      REQUIRE(per_tier[0] == per_tier[1]);
      REQUIRE(per_tier[0] == count.layers[layer].links);
    } else if (per_tier.size() == 1) {
      REQUIRE(per_tier[0] == 2 * count.layers[layer].links);
    }
  }
  for (const SwitchTier& tier : count.switches) {
    std::int64_t switches = 0;
    for (const SwitchGroup& group : tier.groups) {
      switches += group.count;
      std::int64_t gbps = 0;
      for (const PortUse& use : group.ports) gbps += use.ports * count.layers[use.layer].gbps;
      REQUIRE(group.count > 0);
      REQUIRE(gbps <= tier.radix * port_gbps);
    }
    REQUIRE(switches == tier.switches);
  }
  REQUIRE(count.modules <= count.transceivers);
  REQUIRE(count.endpoints <= count.max_endpoints);
  for (const FailureImpact& failure : count.failures) {
    CAPTURE(failure.part);
    REQUIRE(failure.gpus_cut_off + failure.gpus_slowed <= count.endpoints);
    REQUIRE(failure.links_lost <= failure.links_shared);
  }
}

TEST_CASE("property: both ends of every layer agree, and every switch keeps to its radix") {
  for (auto& [name, design] : designs()) {
    CAPTURE(name);
    design.cabling.ports_per_switch_module = 2;
    if (auto* pod = std::get_if<SuperPod>(&design.topology)) pod->scalable_units.reset();
    design.gpus.reset();
    const std::int64_t most = std::min<std::int64_t>(counted(design).max_endpoints, 50'000);
    for (std::int64_t gpus = 1; gpus <= most; gpus += 1 + gpus / 9) {
      CAPTURE(gpus);
      design.gpus = gpus;
      check_consistency(counted(design), design.port_gbps);
    }
  }
}

std::int64_t any_number(std::mt19937_64& random) {
  static constexpr std::array<std::int64_t, 18> kHard = {std::numeric_limits<std::int64_t>::min(),
                                                         -1,
                                                         0,
                                                         1,
                                                         2,
                                                         3,
                                                         4,
                                                         5,
                                                         8,
                                                         16,
                                                         40,
                                                         64,
                                                         1000,
                                                         65536,
                                                         1'000'000'000,
                                                         2'147'483'647,
                                                         4'611'686'018'427'387'904,
                                                         std::numeric_limits<std::int64_t>::max()};
  if (random() % 3 == 0) return static_cast<std::int64_t>(random() % 200);
  return kHard[random() % kHard.size()];
}

/// Each number of the design is replaced one time in four.
FabricDesign any_design(std::mt19937_64& random) {
  FabricDesign design = default_design(static_cast<Topology>(random() % kTopologies));
  const auto shake = [&](auto&... numbers) {
    ((random() % 4 == 0 ? void(numbers = any_number(random)) : void()), ...);
  };
  shake(design.radix, design.port_gbps, design.cabling.ports_per_switch_module,
        design.cabling.ports_per_nic_module);
  if (random() % 2 == 0) design.gpus = any_number(random);
  if (random() % 4 == 0) design.gpus.reset();
  struct Shake {
    const decltype(shake)& numbers;
    void operator()(FatTree& o) const {
      numbers(o.oversubscription.down, o.oversubscription.up, o.max_tiers);
    }
    void operator()(RailOptimized& o) const {
      numbers(o.rails, o.planes, o.oversubscription.down, o.oversubscription.up);
    }
    void operator()(SuperPod& o) const {
      numbers(o.scalable_units, o.nodes_per_unit, o.gpus_per_node, o.planes, o.fabric_manager_ports,
              o.oversubscription.down, o.oversubscription.up);
    }
    void operator()(RailOnly& o) const {
      numbers(o.rails, o.oversubscription.down, o.oversubscription.up, o.max_tiers);
    }
    void operator()(MultiPlane& o) const {
      numbers(o.planes, o.ports_per_gpu, o.oversubscription.down, o.oversubscription.up,
              o.max_tiers);
    }
    void operator()(Hpn& o) const {
      numbers(o.rails, o.tors_per_rail, o.tor_host_ports, o.tor_backup_ports, o.host_port_gbps,
              o.tor_uplinks, o.agg_core_ports, o.max_pods);
    }
    void operator()(DcnPlus& o) const {
      numbers(o.gpus_per_segment, o.segments_per_pod, o.max_pods, o.tors_per_segment,
              o.ports_per_gpu, o.host_port_gbps, o.tor_uplinks, o.aggs_per_pod, o.agg_core_ports);
    }
    void operator()(MetaAiZone& o) const {
      numbers(o.gpus_per_rack, o.racks_per_zone, o.rtsw_oversubscription.down,
              o.rtsw_oversubscription.up, o.ctsw_ports, o.zone_oversubscription.down,
              o.zone_oversubscription.up, o.atsw_ports, o.max_zones);
    }
    void operator()(TwoZoneFatTree& o) const {
      numbers(o.zones, o.zone_switches, o.inter_zone_links, o.storage_ports_per_zone);
    }
    void operator()(Dragonfly& o) const {
      numbers(o.hosts_per_router, o.routers_per_group, o.global_per_router, o.groups);
    }
    void operator()(SlimFly& o) const { numbers(o.q, o.hosts_per_router); }
    void operator()(Torus& o) const {
      numbers(o.cube_edge, o.ocs_spare_ports);
      o.ocs = !o.ocs;
    }
  };
  std::visit(Shake{shake}, design.topology);
  return design;
}

TEST_CASE("property: no numbers whatever break a count") {
  std::mt19937_64 random(20240803);
  int feasible = 0;
  for (int i = 0; i < 200'000; ++i) {
    const FabricDesign design = any_design(random);
    CAPTURE(i);
    CAPTURE(name_of(topology_of(design)));
    const CountResult result = count_fabric(design);
    if (const auto* count = std::get_if<FabricCount>(&result)) {
      ++feasible;
      if (count->max_endpoints < 1'000'000'000'000) check_consistency(*count, design.port_gbps);
    } else {
      const FabricProblem& problem = std::get<FabricProblem>(result);
      REQUIRE_FALSE(problem.subject.empty());
      REQUIRE_FALSE(to_string(problem).empty());
    }
  }
  CHECK(feasible > 20'000);
}

}  // namespace
