// The stages of counted trees, worked out by hand.
#include "planner/network/routing/routed_fabric.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/network/routing/job_slowdowns.hpp"
#include "support/fabrics.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;
using planner::testing::near;

namespace {

RoutedFabric routed(const FabricDesign& design, std::int64_t gpus) {
  const auto fabric = routed_fabric(design, counted(design), gpus, 8);
  REQUIRE(fabric);
  return *fabric;
}

RoutedFabric two_tiers() {
  return routed({.gpus = 1024, .radix = 64, .topology = FatTree{}}, 1024);
}
RoutedFabric three_tiers() {
  return routed({.gpus = 32768, .radix = 64, .topology = FatTree{}}, 32768);
}

std::vector<LinkStage> stages(const RoutedFabric& fabric, const RoutedJob& job,
                              const GroupFlows& groups) {
  return JobSlowdowns(fabric, job, {}).stages(groups);
}

}  // namespace

TEST_CASE("a two-tier fat tree: 32 cards on 32 uplinks of each of 32 leaves") {
  const RoutedFabric fabric = two_tiers();
  REQUIRE(fabric.tiers.size() == 1);
  CHECK(fabric.tiers[0].unit_gpus == 32);
  // 1,024 uplinks on spines of 64 ports: two from each leaf to each of 16.
  CHECK(fabric.tiers[0].switches_above == 16);
  // Rings of the two halves: every card leaves its leaf, all of a leaf's for the same one. A spine
  // hashes anew on the two links to the leaf, so that loads down are not those up.
  const auto all = stages(fabric, {.gpus = 1024}, {FlowKind::ring, 512, 2});
  REQUIRE(all.size() == 1);
  CHECK(all[0].flows == 32);
  CHECK(all[0].links == 32);
  CHECK(all[0].rho == near(1));
  CHECK(all[0].groups == 2 * 32);
  // With one link to each spine one draw of 32 leaves counts for both directions.
  RoutedFabric single = fabric;
  single.tiers[0].switches_above = 32;
  CHECK(stages(single, {.gpus = 1024}, {FlowKind::ring, 512, 2})[0].groups == 32);
  // One ring leaves each leaf with the cards of one node.
  const auto ring = stages(fabric, {.gpus = 1024}, {FlowKind::ring, 8, 128});
  CHECK(ring[0].flows == 8);
  CHECK(ring[0].rho == near(0.25));
  // Rings side by side with as many nodes, up to all of a leaf.
  const auto flows = [&](std::int64_t stride) {
    return stages(fabric, {.gpus = 1024}, {FlowKind::ring, 8 * stride, 2})[0].flows;
  };
  CHECK(flows(4) == 32);
  CHECK(flows(8) == 32);
  CHECK(stages(fabric, {.gpus = 1024}, {FlowKind::ring, 16, 4})[0].flows == 16);
  // Half of the job, half of the switches.
  CHECK(stages(fabric, {.gpus = 512}, {FlowKind::ring, 8, 64})[0].groups == 2 * 16);
  // A pipeline's inner stages send both ways, which a card does one after the other: two classes of
  // leaves, those of the ends with half of the flows. Loads down differ from those up.
  const auto line = stages(fabric, {.gpus = 1024}, {FlowKind::line, 32, 32});
  REQUIRE(line.size() == 2);
  CHECK(line[0].flows == 64);
  CHECK(line[0].rho == near(1));
  CHECK(line[0].groups == 60);
  CHECK(line[1].flows == 32);
  CHECK(line[1].groups == 4);
  // Nothing leaves a leaf from groups that lie below it.
  CHECK(stages(fabric, {.gpus = 1024}, {FlowKind::ring, 8, 4}).empty());
  CHECK(stages(fabric, {.gpus = 1024}, {FlowKind::all_to_all, 1, 32}).empty());
}

TEST_CASE("three tiers: 32 leaves of 32 cards below 32 spines with 32 links each") {
  const RoutedFabric fabric = three_tiers();
  REQUIRE(fabric.tiers.size() == 2);
  CHECK(fabric.tiers[1].unit_gpus == 1024);
  CHECK(fabric.tiers[1].cards == 1024);
  CHECK(fabric.tiers[1].links == 1024);
  CHECK(fabric.tiers[1].polarization == 32);
  CHECK(fabric.tiers[1].groups == near(32));
  CHECK(fabric.tiers[1].rho == near(1));
}

TEST_CASE("HPN: 128 port flows of 200G on 60 uplinks of 400G, 15:1 at the core") {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).core_layer = true;
  const RoutedFabric fabric = routed(design, 15360);
  REQUIRE(fabric.tiers.size() == 2);
  CHECK(fabric.ports_per_card == 2);
  CHECK_FALSE(fabric.bonded);
  CHECK(fabric.tiers[0].unit_gpus == 1024);
  CHECK(fabric.tiers[0].cards == 128);
  CHECK(fabric.tiers[0].links == 60);
  CHECK(fabric.tiers[0].rho == near(128 * 200.0 / (60 * 400)));
  CHECK(fabric.tiers[0].groups_of_unit == near(16));
  CHECK(fabric.tiers[1].unit_gpus == 15360);
  CHECK(fabric.tiers[1].rho == near(16));
  // A ring over two segments: one port of one card at each of the 32 ToRs.
  const auto ring = stages(fabric, {.gpus = 2048}, {FlowKind::ring, 8, 256});
  REQUIRE(ring.size() == 1);
  CHECK(ring[0].flows == 1);
  CHECK(ring[0].groups == 32);
}

TEST_CASE("HPN in one plane: seven segments, and both ToRs are hashed on") {
  FabricDesign design = default_design(Topology::hpn);
  std::get<Hpn>(design.topology).planes = 1;
  design.gpus = 7168;
  const RoutedFabric fabric = routed(design, 7168);
  CHECK(fabric.bonded);
  CHECK(fabric.planes == 1);
  const auto ring = stages(fabric, {.gpus = 2048}, {FlowKind::ring, 8, 256});
  REQUIRE(ring.size() == 3);
  CHECK(ring[0].flows == 1);
  CHECK(ring[0].links == 60);
  CHECK(ring[0].groups == 32);
  CHECK(ring[1].flows == 2);
  CHECK(ring[1].links == 120);
  CHECK(ring[1].groups == 16);
  // Only cards that receive from the other segment: one for each rail and segment.
  CHECK(ring[2].receive_port);
  CHECK(ring[2].groups == 16);
  design.gpus = 7169;
  CHECK(std::holds_alternative<FabricProblem>(count_fabric(design)));
  std::get<Hpn>(design.topology).planes = 3;
  CHECK(std::holds_alternative<FabricProblem>(count_fabric(design)));
}

TEST_CASE("Meta: 16 cards on 16 uplinks of a rack, 7:1 between zones") {
  const RoutedFabric fabric = routed(default_design(Topology::meta_ai_zone), 24576);
  REQUIRE(fabric.tiers.size() == 2);
  CHECK(fabric.tiers[0].unit_gpus == 16);
  CHECK(fabric.tiers[0].links == 16);
  CHECK(fabric.tiers[1].unit_gpus == 3072);
  CHECK(fabric.tiers[1].cards == 3072);
  CHECK(fabric.tiers[1].rho == near(384.0 / 55));
}

TEST_CASE("planned paths on a full tree leave every time untouched") {
  const JobSlowdowns job(three_tiers(), {.gpus = 32768}, {.scheme = RoutingScheme::c4p});
  for (const FlowKind kind : {FlowKind::ring, FlowKind::all_to_all, FlowKind::line}) {
    for (const std::int64_t ranks : {1, 2, 4, 32, 128, 4096}) {
      CHECK(job.of({kind, 8, ranks}).mean == near(1));
    }
  }
  CHECK(RoutingFactors{}.slowdown({FlowKind::ring, 8, 8}) == 1);
}

TEST_CASE("pipelines alone cross pods where so placed") {
  const RoutedFabric fabric = three_tiers();
  const auto routed_all = route(JobSlowdowns(fabric, {.gpus = 32768}, {}));
  const auto pipelines =
      route(JobSlowdowns(fabric, {.gpus = 32768, .placement = Placement::pp_across_pods}, {}));
  CHECK(pipelines.size() == routed_all.size() - kTrafficPatterns.size() + 1);
  CHECK(pipelines.back().pattern == TrafficPattern::p2p);
}

TEST_CASE("a job among free GPUs takes the minimum cut, and its ranks follow it") {
  const RoutedFabric fabric = three_tiers();
  const RoutedJob job{.gpus = 1536, .free_gpus = {300, 1024, 512, 900}};
  CHECK(occupied_units(fabric, job, 1) == std::vector<std::int64_t>{1024, 512});
  CHECK(occupied_units(fabric, job, 0).size() == 48);
  // In fewer pods than anything else would need: fewer pairs cross the core.
  const RoutedJob scattered{.gpus = 1536, .free_gpus = {300, 300, 300, 300, 300, 300}};
  CHECK(occupied_units(fabric, scattered, 1).size() == 6);
  const GroupFlows all{FlowKind::all_to_all, 1, 1536};
  const auto slowdown = [&](const RoutedJob& one) {
    return JobSlowdowns(fabric, one, {}).of(all).mean;
  };
  CHECK(slowdown(job) <= slowdown(scattered));
  // The uplinks that are the job's share; all of them where other jobs leave them idle.
  RoutedJob alone = scattered;
  alone.uplinks = UplinkUse::alone;
  CHECK(slowdown(alone) < slowdown(scattered));
}

TEST_CASE("nodes anywhere: as many units as there are, or one for each node") {
  const RoutedFabric fabric = three_tiers();
  const RoutedJob job{.gpus = 384, .placement = Placement::random};
  CHECK(occupied_units(fabric, job, 0) == std::vector<std::int64_t>(48, 8));
  CHECK(occupied_units(fabric, job, 1).size() == 32);
  CHECK(occupied_units(fabric, job, 1).front() == 16);
  CHECK(occupied_units(fabric, job, 1).back() == 8);
  // Nothing but a node is sure to be whole, in a leaf or a pod.
  const JobSlowdowns slowdowns(fabric, job, {});
  CHECK(slowdowns.of({FlowKind::ring, 1, 8}).mean == 1);
  CHECK(slowdowns.of({FlowKind::ring, 8, 2}).mean > 1);
  // Whatever the order, 8 rings leave a pod of 2 of 48 hosts with 8·2·46/47 flows.
  const auto rings = slowdowns.stages({FlowKind::ring, 8, 48});
  REQUIRE(rings.size() == 3);
  CHECK(rings[1].name == fabric.tiers[1].name);
  CHECK(rings[1].rho == near(46 / 47.0));
  CHECK(rings[2].rho == near(1));  // of one host
  // One GPU is nowhere else.
  CHECK(occupied_units(fabric, {.gpus = 1, .placement = Placement::random}, 0).size() == 1);
}

TEST_CASE("a share of every rack in whole nodes: a quarter of two nodes is one") {
  const RoutedFabric fabric = routed(default_design(Topology::meta_ai_zone), 24576);
  const auto units = [&](std::int64_t gpus, double share, std::size_t tier) {
    return occupied_units(
        fabric, {.gpus = gpus, .placement = Placement::partial, .rack_share = share}, tier);
  };
  CHECK(units(16, 0.25, 0) == std::vector<std::int64_t>(2, 8));
  CHECK(units(3072, 0.25, 1) == std::vector<std::int64_t>(2, 1536));
  CHECK(units(3072, 1, 1).size() == 1);
  // As much as the job needs where its share does not hold it.
  CHECK(units(24576, 0.25, 0) == std::vector<std::int64_t>(1536, 16));
}

TEST_CASE("what is down takes links, or ports of cards, from flows that would use them") {
  const RoutedFabric fabric = two_tiers();
  const GroupFlows halves{FlowKind::ring, 512, 2};
  const auto of = [&](const RoutedFabric& on, const GroupFlows& groups, Fault fault,
                      Channels channels = Channels::fixed) {
    const RoutedJob job{.gpus = 1024, .fault = fault, .channels = channels};
    return JobSlowdowns(on, job, {.scheme = RoutingScheme::spray}).of(groups).mean;
  };
  CHECK(of(fabric, halves, {FaultKind::uplink, 8}) == near(32.0 / 24));
  // A spine has two links of every leaf.
  CHECK(of(fabric, halves, {FaultKind::aggregation, 4}) == near(32.0 / 24));
  CHECK(of(fabric, halves, {FaultKind::aggregation, 15}) == near(32.0 / 2));
  CHECK(of(fabric, {FlowKind::ring, 8, 128}, {FaultKind::aggregation, 8}) == 1);
  const RoutedFabric hpn = routed(default_design(Topology::hpn), 15360);
  CHECK(of(hpn, halves, {FaultKind::nic_link}) == 2);
  CHECK(of(hpn, halves, {FaultKind::tor}) == 2);
  CHECK(of(hpn, halves, {FaultKind::plane}) == 2);
  CHECK(of(hpn, halves, {FaultKind::nic_link}, Channels::rebalanced) == near(16.0 / 15));
  CHECK(of(hpn, halves, {FaultKind::plane}, Channels::rebalanced) == 2);
  CHECK(of(hpn, halves, {FaultKind::aggregation, 1}) == 1);
  // The other ToR of a rack carries the bytes of both on its 60 uplinks, and the other plane those
  // of both at no greater rate than its cards have.
  const auto first = [&](std::optional<Fault> fault) {
    return stages(hpn, {.gpus = 15360, .fault = fault}, {FlowKind::ring, 7680, 2});
  };
  const auto whole = first({}), tor = first(Fault{FaultKind::tor}),
             plane = first(Fault{FaultKind::plane});
  CHECK(tor.size() == whole.size() + 2);
  CHECK(tor[0].groups == 1);
  CHECK(tor[0].rho == near(2 * whole[0].rho));
  CHECK(tor[0].flows == 2 * whole[0].flows);
  CHECK(tor[1].rho == whole[0].rho);
  CHECK(plane[0].rho == near(2 * whole[0].rho));
  CHECK(plane[0].groups == whole[0].groups / 2);
  // Two links of each of 32 pods to each of 512 core switches.
  const RoutedFabric cores = three_tiers();
  CHECK(cores.tiers[1].links == 1024);
  CHECK(cores.tiers[1].switches_above == 512);
  const GroupFlows across{FlowKind::ring, 16384, 2};
  const auto lost = [&](std::int64_t count) {
    const RoutedJob job{.gpus = 32768, .fault = Fault{FaultKind::core, count}};
    return JobSlowdowns(cores, job, {.scheme = RoutingScheme::spray}).of(across).mean;
  };
  CHECK(lost(128) == near(4.0 / 3));
  // What stays in an HB domain has no card.
  CHECK(of(hpn, {FlowKind::ring, 1, 8}, {FaultKind::nic_link}) == 1);
}

TEST_CASE("a part of every leaf, where all of it would break stages") {
  const RoutedFabric pods = routed(default_design(Topology::dcn_plus), 8192);
  REQUIRE(pods.tiers[0].unit_gpus == 128);
  RoutedJob job{.gpus = 768};
  // Eighths, and five 32nds.
  CHECK(even_leaves(pods, job) == std::vector<std::int64_t>{96, 120});
  job.in_leaf = 96;
  CHECK(occupied_units(pods, job, 0) == std::vector<std::int64_t>(8, 96));
  CHECK(occupied_units(pods, job, 1) == std::vector<std::int64_t>(2, 384));
  // All that is free of four leaves is not enough for it.
  CHECK(even_leaves(pods, {.gpus = 768, .free_gpus = {512, 256}}).empty());
  CHECK(even_leaves(pods, {.gpus = 8192}).empty());
  CHECK(even_leaves(pods, {.gpus = 768, .placement = Placement::random}).empty());
}

TEST_CASE("of the stages in one HB domain one sends on") {
  const RoutedFabric fabric = two_tiers();
  const auto line = [&](std::int64_t stages_inside) {
    const auto all = stages(fabric, {.gpus = 1024}, {FlowKind::line, 128, 8, stages_inside});
    return *std::max_element(all.begin(), all.end(), [](const LinkStage& a, const LinkStage& b) {
      return a.flows < b.flows;
    });
  };
  // Both ways out of the 32 cards of a leaf in the middle; half of them have one flow each.
  CHECK(line(1).flows == 64);
  CHECK(line(1).rho == near(1));
  CHECK(line(2).flows == 32);
  CHECK(line(2).rho == near(1));
  CHECK(line(4).flows == 16);
  CHECK(line(4).rho == near(0.5));
}

TEST_CASE("spines of a leaf: as many as it has links to, however these are bundled") {
  const auto spines = [](const FabricDesign& design) {
    const FabricCount count = counted(design);
    return routed_fabric(design, count, *design.gpus, 8)->tiers.front().switches_above;
  };
  // Of two tiers all of their tree; a pod of three has one link to each.
  CHECK(spines({.gpus = 640, .radix = 64, .topology = FatTree{}}) == 10);
  CHECK(spines({.gpus = 96, .radix = 64, .topology = FatTree{}}) == 2);
  CHECK(spines({.gpus = 32768, .radix = 64, .topology = FatTree{}}) == 32);
  CHECK(spines({.gpus = 1024, .radix = 64, .topology = RailOptimized{.rails = 8}}) == 16);
  CHECK(spines({.gpus = 1024, .radix = 64, .topology = RailOptimized{.rails = 8, .planes = 2}}) ==
        16);
  CHECK(spines({.gpus = 1024, .radix = 32, .topology = RailOnly{.rails = 8}}) == 4);
  CHECK(spines({.gpus = 1024, .radix = 32, .topology = MultiPlane{.planes = 4}}) == 8);
  // Three tiers whose rails have spines of their own: clos/rails.cpp's 7 units of 20 nodes.
  CHECK(spines({.gpus = 1120, .radix = 40, .topology = RailOptimized{.rails = 8}}) == 10);
  FabricDesign hpn = default_design(Topology::hpn);
  CHECK(spines(hpn) == 60);
  hpn.gpus = 1024 * 4;
  CHECK(spines(hpn) == 20);
  // Spines of uneven bundles: the larger go first.
  const FabricTier leaf{.links = 32, .switches_above = 3};
  CHECK(links_without_switches(leaf, 1) == 21);
  CHECK(links_without_switches(leaf, 2) == 10);
}

TEST_CASE("what there is is dealt out over separate zones, whole nodes each") {
  FabricDesign design = default_design(Topology::two_zone_fat_tree);
  std::get<TwoZoneFatTree>(design.topology).inter_zone_links = 4;
  const auto zone = [&](std::int64_t cards) {
    design.gpus = cards;
    const RoutedFabric fabric = *routed_fabric(design, counted(design), 8 * cards, 8);
    const FabricTier& tier = fabric.tiers.back();
    REQUIRE(tier.between_zones);
    CHECK(real(tier.unit_gpus) / tier.rho == near(8 * 4));  // of its links, whatever it holds
    return tier.unit_gpus;
  };
  CHECK(zone(80) == 320);
  CHECK(zone(1200) == 4800);
  CHECK(zone(1201) == 4808);
}

TEST_CASE("no routing model for a torus") {
  const FabricDesign design = default_design(Topology::torus);
  CHECK_FALSE(routed_fabric(design, counted(design), 4096, 4));
}

TEST_CASE("a job that has 64 GPUs of each domain of 72 has the links of all") {
  const auto seen = [](const FabricDesign& design, std::int64_t gpus) {
    return of_used_gpus(*routed_fabric(design, counted(design), gpus, 72), 64);
  };
  // Leaves of 48 ports, of which 43 are used at most, on the 16 uplinks of each.
  const RoutedFabric fat =
      seen({.gpus = 9216, .radix = 64, .topology = FatTree{.oversubscription = {3, 1}}}, 9216);
  CHECK(fat.gpus == 8192);
  CHECK(fat.gpus_per_node == 64);
  CHECK(fat.tiers[0].unit_gpus == 43);
  CHECK(fat.tiers[0].rho == near(3 * 43 / 48.0));
  // A pod of 32 leaves has 21 domains.
  CHECK(fat.tiers[1].unit_gpus == 21 * 64);
  // 32 domains on 72 rails: 64 leaves of 32 cards as before, and eight that stand idle.
  const RoutedFabric rails =
      seen({.gpus = 9216, .radix = 64, .topology = RailOptimized{.rails = 72}}, 9216);
  CHECK(rails.tiers[0].unit_gpus == 2048);
  CHECK(rails.tiers[0].cards == 32);
  CHECK(rails.tiers[0].rho == near(1));
  CHECK(rails.tiers[0].groups_of_unit == near(64));
  CHECK(rails.tiers[0].groups == near(4 * 64));
  // Of the 32 cards of a domain in each of its 2 1/4 pods 29 are used at most.
  CHECK(rails.tiers[1].cards == 29 * 32);
  CHECK(rails.tiers[1].rho == near(29 / 32.0));
  CHECK(rails.tiers[1].groups_of_unit == near(2048 / (29 * 32.0)));
  // All of it: the same.
  const FabricDesign small{.gpus = 1024, .radix = 64, .topology = FatTree{}};
  CHECK(of_used_gpus(routed(small, 1024), 8).tiers[0].unit_gpus == 32);
}

TEST_CASE("what a fault breaks of pairs of access links and switches") {
  const RoutedFabric hpn = routed(default_design(Topology::hpn), 15360);
  const auto broken = [&](FaultKind kind) { return broken_pairs(hpn, Fault{.kind = kind}); };
  CHECK(broken(FaultKind::nic_link) == BrokenPairs{.links = 1, .needed_switches = 1});
  CHECK(broken(FaultKind::tor) == BrokenPairs{.links = 128, .switches = 1});
  CHECK(broken(FaultKind::plane)->links >= 15360);
  CHECK(!broken(FaultKind::aggregation));
  CHECK(!broken(FaultKind::uplink));
  CHECK(!broken_pairs(hpn, std::nullopt));
  CHECK(!broken_pairs(two_tiers(), Fault{.kind = FaultKind::nic_link}));
}
