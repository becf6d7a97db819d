// The stages of counted trees, worked out by hand.
#include "planner/network/routing/routed_fabric.hpp"

#include <doctest/doctest.h>

#include "support/fabrics.hpp"
#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

RoutedFabric routed(const FabricDesign& design, std::int64_t gpus) {
  const auto fabric = routed_fabric(design, counted(design), gpus, 8);
  REQUIRE(fabric);
  return *fabric;
}

}  // namespace

TEST_CASE("a two-tier fat tree: 32 cards on 32 uplinks, up and down of 32 leaves") {
  const RoutedFabric fabric = routed({.gpus = 1024, .radix = 64, .topology = FatTree{}}, 1024);
  REQUIRE(fabric.tiers.size() == 1);
  CHECK(fabric.tiers[0].unit_gpus == 32);
  const auto all = stages_of(fabric, {.gpus = 1024}, TrafficPattern::all_rings, 1);
  REQUIRE(all.size() == 1);
  CHECK(all[0].flows == 32);
  CHECK(all[0].links == 32);
  CHECK(all[0].rho == near(1));
  CHECK(all[0].groups == 64);
  // One ring leaves each leaf with the cards of one node.
  const auto ring = stages_of(fabric, {.gpus = 1024}, TrafficPattern::ring, 1);
  CHECK(ring[0].flows == 8);
  CHECK(ring[0].rho == near(0.25));
  // Half of the job, half of the switches.
  CHECK(stages_of(fabric, {.gpus = 512}, TrafficPattern::ring, 1)[0].groups == 32);
}

TEST_CASE("three tiers: 32 leaves of 32 cards below 32 spines with 32 links each") {
  const RoutedFabric fabric = routed({.gpus = 32768, .radix = 64, .topology = FatTree{}}, 32768);
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
  CHECK(fabric.tiers[0].node_cards == 1);
  CHECK(fabric.tiers[1].unit_gpus == 15360);
  CHECK(fabric.tiers[1].rho == near(16));
}

TEST_CASE("DCN+: ports of a card on one plane are hashed at the receiver") {
  const RoutedFabric fabric = routed(default_design(Topology::dcn_plus), 16384);
  CHECK(fabric.bonded);
  const auto stages = stages_of(fabric, {.gpus = 512}, TrafficPattern::all_rings, 1);
  REQUIRE(stages.size() == 3);
  CHECK(stages[0].flows == 16);
  CHECK(stages[0].links == 8);
  CHECK(stages[1].flows == 32);
  CHECK(stages[1].links == 16);
  CHECK(stages[2].receive_port);
  CHECK(stages[2].groups == 512);
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
  const RoutedFabric fabric = routed({.gpus = 32768, .radix = 64, .topology = FatTree{}}, 32768);
  const RoutingFactors factors =
      routing_factors(route(fabric, {.gpus = 32768}, {.scheme = RoutingScheme::c4p}));
  REQUIRE(factors.spans.size() == 3);
  for (const TrafficPattern pattern : kTrafficPatterns) {
    for (const std::int64_t gpus : {8, 32, 33, 1024, 32768, 99999}) {
      CHECK(factors.slowdown(pattern, gpus) == 1);
    }
  }
  CHECK(RoutingFactors{}.slowdown(TrafficPattern::ring, 64) == 1);
}

TEST_CASE("factors grow with the span; pipelines alone cross pods where so placed") {
  const RoutedFabric fabric = routed({.gpus = 32768, .radix = 64, .topology = FatTree{}}, 32768);
  const auto routed_all = route(fabric, {.gpus = 32768}, {});
  const RoutingFactors factors = routing_factors(routed_all);
  for (const TrafficPattern pattern : kTrafficPatterns) {
    CHECK(factors.slowdown(pattern, 32) == 1);
    CHECK(factors.slowdown(pattern, 1024) > 1);
    CHECK(factors.slowdown(pattern, 32768) >= factors.slowdown(pattern, 1024));
  }
  const auto pipelines = route(fabric, {.gpus = 32768, .placement = Placement::pp_across_pods}, {});
  CHECK(pipelines.size() == routed_all.size() - kTrafficPatterns.size() + 1);
  CHECK(pipelines.back().pattern == TrafficPattern::p2p);
}

TEST_CASE("rings side by side load a leaf with a node each, up to all of its nodes") {
  const RoutedFabric fabric = routed({.gpus = 1024, .radix = 64, .topology = FatTree{}}, 1024);
  const auto flows = [&](TrafficPattern pattern) {
    return stages_of(fabric, {.gpus = 1024}, pattern, 1)[0].flows;
  };
  CHECK(flows(ring_pattern(1)) == 8);
  CHECK(flows(ring_pattern(2)) == 16);
  CHECK(flows(ring_pattern(3)) == 24);
  CHECK(flows(ring_pattern(4)) == 32);
  CHECK(flows(ring_pattern(5)) == 32);  // a leaf has 4 nodes
  CHECK(flows(ring_pattern(99)) == 32);
}

TEST_CASE("a job among free GPUs takes the minimum cut, and its ranks follow it") {
  const RoutedFabric fabric = routed({.gpus = 32768, .radix = 64, .topology = FatTree{}}, 32768);
  const RoutedJob job{.gpus = 1536, .free_gpus = {300, 1024, 512, 900}};
  CHECK(occupied_units(fabric, job, 1) == std::vector<std::int64_t>{1024, 512});
  CHECK(occupied_units(fabric, job, 0).size() == 48);
  // In fewer pods than anything else would need: fewer pairs cross the core.
  const RoutedJob scattered{.gpus = 1536, .free_gpus = {300, 300, 300, 300, 300, 300}};
  CHECK(occupied_units(fabric, scattered, 1).size() == 6);
  const auto core = [&](const RoutedJob& one) {
    return stages_of(fabric, one, TrafficPattern::all_to_all, 2).back();
  };
  const auto crossing = [&](const RoutedJob& one) { return core(one).flows * core(one).groups; };
  CHECK(crossing(job) < crossing(scattered));
  CHECK(core(job).groups == 4);
  CHECK(core(scattered).groups == 12);
  // Groups of 4 are whole in pods of 300, those of 64 are not.
  const RoutingFactors factors = routing_factors(route(fabric, scattered, {}));
  CHECK(factors.slowdown(TrafficPattern::all_to_all, 4) == 1);
  CHECK(factors.slowdown(TrafficPattern::all_to_all, 512) ==
        factors.slowdown(TrafficPattern::all_to_all, 1536));
}

TEST_CASE("nodes anywhere: as many units as there are, or one for each node") {
  const RoutedFabric fabric = routed({.gpus = 32768, .radix = 64, .topology = FatTree{}}, 32768);
  const RoutedJob job{.gpus = 384, .placement = Placement::random};
  CHECK(occupied_units(fabric, job, 0) == std::vector<std::int64_t>(48, 8));
  CHECK(occupied_units(fabric, job, 1).size() == 32);
  CHECK(occupied_units(fabric, job, 1).front() == 16);
  CHECK(occupied_units(fabric, job, 1).back() == 8);
  // Nothing but a node is sure to be whole, in a leaf or a pod.
  const RoutingFactors factors = routing_factors(route(fabric, job, {}));
  REQUIRE(factors.spans.size() == 2);
  CHECK(factors.slowdown(TrafficPattern::ring, 8) == 1);
  CHECK(factors.slowdown(TrafficPattern::ring, 16) > 1);
  // One GPU is nowhere else.
  CHECK(occupied_units(fabric, {.gpus = 1, .placement = Placement::random}, 0).size() == 1);
}

TEST_CASE("a share of every rack: a quarter of 16 GPUs takes four racks for one") {
  const RoutedFabric fabric = routed(default_design(Topology::meta_ai_zone), 24576);
  const auto units = [&](std::int64_t gpus, double share, std::size_t tier) {
    return occupied_units(
        fabric, {.gpus = gpus, .placement = Placement::partial, .rack_share = share}, tier);
  };
  CHECK(units(16, 0.25, 0) == std::vector<std::int64_t>(4, 4));
  CHECK(units(3072, 0.25, 1) == std::vector<std::int64_t>(4, 768));
  CHECK(units(3072, 1, 1).size() == 1);
  // As much as the job needs where its share does not hold it.
  CHECK(units(24576, 0.25, 0) == std::vector<std::int64_t>(1536, 16));
}

TEST_CASE("no more flows leave a unit than the job has cards there, and in the others") {
  const RoutedFabric meta = routed(default_design(Topology::meta_ai_zone), 24576);
  const auto core = [&](const RoutedJob& job) {
    return stages_of(meta, job, TrafficPattern::all_rings, 2).back();
  };
  const LinkStage pairs = core({.gpus = 16, .free_gpus = std::vector<std::int64_t>(8, 2)});
  CHECK(pairs.flows == 2);
  CHECK(pairs.rho == near(2 * 384.0 / 55 / 3072));
  CHECK(stage_slowdown(pairs, {.scheme = RoutingScheme::te}).mean() == near(1));
  // All but one GPU are in one zone: one of its cards has a neighbour elsewhere.
  CHECK(core({.gpus = 3073}).flows == 1);
  CHECK(core({.gpus = 6144}).flows == 3072);

  const RoutedFabric hpn = routed(default_design(Topology::hpn), 15360);
  const RoutedJob two_nodes{.gpus = 16, .free_gpus = {8, 8}};
  CHECK(stages_of(hpn, two_nodes, TrafficPattern::all_rings, 1)[0].flows == 1);
  CHECK(stages_of(hpn, {.gpus = 2048}, TrafficPattern::all_rings, 1)[0].flows == 128);
}

TEST_CASE("no routing model for a torus") {
  const FabricDesign design = default_design(Topology::torus);
  CHECK_FALSE(routed_fabric(design, counted(design), 4096, 4));
}
