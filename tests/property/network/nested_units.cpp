// Units of placement on trees of any size: whole nodes below a leaf, whole leaves in a pod, and no
// more of either than was bought; where leaves hold as many nodes, harsher oversubscription is
// never better.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/network/routing/routed_fabric.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Links out of the leaves of a count.
double bought_uplinks(const FabricCount& count) {
  double links = 0;
  for (const SwitchGroup& group : count.switches[0].groups) {
    for (const PortUse& use : group.ports) {
      if (!count.layers[use.layer].host) links += real(group.count * use.ports);
    }
  }
  return links;
}

FabricDesign tree_of(std::int64_t kind, std::int64_t gpus, std::int64_t radix, Ratio ratio) {
  FabricDesign design{.gpus = gpus, .radix = radix, .port_gbps = 400, .topology = {}};
  if (kind == 0) design.topology = FatTree{.oversubscription = ratio};
  if (kind == 1) design.topology = FatTree{.oversubscription = ratio, .pod_aligned = true};
  if (kind == 2) design.topology = RailOptimized{.rails = 8, .oversubscription = ratio};
  if (kind == 3) design.topology = RailOnly{.rails = 8, .oversubscription = ratio};
  if (kind == 4) design.topology = MetaAiZone{};
  return design;
}

}  // namespace

TEST_CASE("leaves hold whole nodes, pods whole leaves, and links are those that are bought") {
  int trees = 0, deep = 0;
  for (int i = 0; i < 400; ++i) {
    const std::int64_t node = any(0, 3) == 0 ? 72 : 8, gpus = node * any(10, 400);
    const Ratio ratio{any(1, 5), any(1, 2)};
    const FabricDesign design = tree_of(any(0, 4), gpus, 2 * any(10, 64), ratio);
    if (std::holds_alternative<FabricProblem>(count_fabric(design))) continue;
    const FabricCount count = counted(design);
    const RoutedFabric fabric = *routed_fabric(design, count, gpus, node);
    if (fabric.tiers.empty() || fabric.tiers.front().unit_gpus < node) continue;
    CAPTURE(gpus);
    CAPTURE(node);
    CAPTURE(design.radix);
    CAPTURE(design.topology.index());
    std::int64_t below = node;
    for (const FabricTier& tier : fabric.tiers) {
      CHECK(tier.unit_gpus % below == 0);
      below = tier.unit_gpus;
    }
    const FabricTier& leaf = fabric.tiers.front();
    CHECK(real(leaf.cards) <= real(count.radix));
    const bool dealt = design.topology.index() != static_cast<std::size_t>(Topology::meta_ai_zone);
    if (dealt && leaf.cards < ports_of(count, 0).hosts) {
      CHECK(real(leaf.links * count.switches[0].switches) <= bought_uplinks(count));
    }
    const std::vector<std::int64_t> units = occupied_units(fabric, {.gpus = gpus}, 0);
    for (const std::int64_t one : units) CHECK(one % node == 0);
    ++trees;
    deep += fabric.tiers.size() > 1 ? 1 : 0;
  }
  CHECK(trees > 150);
  CHECK(deep > 20);
}

TEST_CASE("of 128 nodes each of four leaves a rail has 32, whatever it has ports for") {
  const FabricDesign design = tree_of(2, 1024, 64, {3, 2});
  const RoutedFabric fabric = *routed_fabric(design, counted(design), 1024, 8);
  REQUIRE(fabric.tiers.size() == 1);
  CHECK(fabric.tiers.front().unit_gpus == 256);
  CHECK(fabric.tiers.front().cards == 32);
}

TEST_CASE("a leaf of 42 ports has 5 nodes of 8, on the 21 uplinks of each or fewer") {
  const FabricDesign design = tree_of(0, 768, 64, {2, 1});
  const RoutedFabric fabric = *routed_fabric(design, counted(design), 768, 8);
  REQUIRE(fabric.tiers.size() == 1);
  CHECK(fabric.tiers.front().unit_gpus == 40);
  // 18 leaves of 42 ports and 21 uplinks, one of 12 and 6: 20.2 on average.
  CHECK(fabric.tiers.front().links == 20);
  CHECK(fabric.tiers.front().rho == doctest::Approx(2));
}

TEST_CASE("on perfectly balanced links less bandwidth up from as many nodes is never better") {
  int compared = 0;
  for (const std::int64_t kind : {0, 2}) {
    for (int i = 0; i < 60; ++i) {
      const std::int64_t nodes = 64 * any(1, 4);
      // Groups of whole nodes, whose sizes are those of plans: powers of two.
      std::int64_t stride = 8, ranks = 2;
      for (std::int64_t k = any(0, 4); k > 0; --k) stride *= 2;
      for (std::int64_t k = any(0, 3); k > 0; --k) ranks *= 2;
      if (stride * ranks > 8 * nodes) continue;
      const FlowKind flow = any(0, 1) == 0 ? FlowKind::ring : FlowKind::all_to_all;
      double before = 1;
      std::int64_t unit_before = 0;
      for (const Ratio ratio : {Ratio{1, 1}, Ratio{3, 2}, Ratio{2, 1}, Ratio{3, 1}, Ratio{4, 1}}) {
        const FabricDesign design = tree_of(kind, 8 * nodes, 64, ratio);
        const RoutedFabric fabric = *routed_fabric(design, counted(design), 8 * nodes, 8);
        const JobSlowdowns job(fabric, {.gpus = 8 * nodes}, {.scheme = RoutingScheme::spray});
        CAPTURE(kind);
        CAPTURE(nodes);
        CAPTURE(stride);
        CAPTURE(ranks);
        CAPTURE(ratio.down);
        const double now = job.of({flow, stride, ranks}).mean;
        const std::int64_t unit = fabric.tiers.empty() ? 0 : fabric.tiers.front().unit_gpus;
        if (unit == unit_before) {
          CHECK(now >= before / (1 + 1e-9));
          ++compared;
        }
        before = now;
        unit_before = unit;
      }
    }
  }
  CHECK(compared > 100);
}
