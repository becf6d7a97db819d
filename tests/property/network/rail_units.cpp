// Links to the core of rail-optimized trees of any rails and radix: those that routing loads are
// those that the count buys, and what is not oversubscribed slows no flow that is spread evenly.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/network/routing/routed_fabric.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// A random tree of three tiers, half of them with as many rails as a pod has leaves, or more.
FabricDesign any_tree(Ratio ratio) {
  while (true) {
    const std::int64_t radix = 2 * any(2, 32), rails = any(1, any(0, 1) == 0 ? radix : 2 * radix);
    const std::int64_t unit = rails * (radix / 2);
    FabricDesign design{.gpus = rails * any(1, 12 * unit / rails), .radix = radix};
    design.port_gbps = 400;
    if (any(0, 3) == 0 && rails <= radix / 2) {
      design.topology = SuperPod{
          .nodes_per_unit = any(1, radix / 2), .gpus_per_node = rails, .oversubscription = ratio};
    } else {
      design.topology =
          RailOptimized{.rails = rails, .planes = any(1, 2), .oversubscription = ratio};
    }
    const CountResult count = count_fabric(design);
    const auto* const parts = std::get_if<FabricCount>(&count);
    if (parts != nullptr && parts->switches.size() == 3) return design;
  }
}

}  // namespace

TEST_CASE("links of all pods together are those between spines and core") {
  int side_by_side = 0, parts = 0, own_spines = 0, one_pod = 0, whole = 0;
  for (int i = 0; i < 2000; ++i) {
    const FabricDesign design = any_tree({any(1, 3), any(1, 2)});
    const FabricCount count = counted(design);
    const RoutedFabric fabric = *routed_fabric(design, count, *design.gpus, count.rails);
    REQUIRE(fabric.tiers.size() == 2);
    const FabricTier &leaf = fabric.tiers[0], &pod = fabric.tiers[1];
    CAPTURE(design.topology.index());
    CAPTURE(*design.gpus);
    CAPTURE(count.rails);
    CAPTURE(design.radix);
    REQUIRE(pod.unit_gpus % leaf.unit_gpus == 0);
    const std::int64_t bought = count.links_named("spine_core");
    if (pod.unit_gpus >= leaf.unit_gpus * count.units) {  // nothing leaves it
      ++(pod.links * count.rails * count.planes == bought ? own_spines : one_pod);
      continue;
    }
    const double pods = pod.groups_of_unit * real(count.units) * real(leaf.unit_gpus) /
                        real(pod.unit_gpus) / real(count.planes);
    CHECK(std::llround(std::ceil(pods - 1e-9)) * count.planes * pod.links == bought);
    // Of a unit: as many as its GPUs fill, at the rate that they have.
    CHECK(real(pod.links) * pod.groups_of_unit * pod.rho ==
          near(real(pod.unit_gpus) * real(count.planes)));
    if (pod.groups_of_unit > real(count.planes)) {
      ++side_by_side;
    } else {
      ++(pod.groups_of_unit < real(count.planes) ? parts : whole);
    }
  }
  CHECK(side_by_side > 100);
  CHECK(parts > 50);
  CHECK(own_spines > 100);
  CHECK(whole > 50);
  CHECK(one_pod < own_spines);
}

TEST_CASE("even spraying over a full tree slows nothing") {
  for (int i = 0; i < 500; ++i) {
    const FabricDesign design = any_tree({1, 1});
    const FabricCount count = counted(design);
    const std::int64_t gpus = *design.gpus, node = count.rails;
    CAPTURE(design.topology.index());
    CAPTURE(gpus);
    CAPTURE(node);
    CAPTURE(design.radix);
    const JobSlowdowns job(*routed_fabric(design, count, gpus, node), {.gpus = gpus},
                           {.scheme = RoutingScheme::spray});
    CHECK(job.of({FlowKind::all_to_all, 1, gpus}).mean == near(1));
    CHECK(job.of({FlowKind::ring, node, gpus / node}).mean == near(1));
    if (gpus % 2 == 0) CHECK(job.of({FlowKind::ring, gpus / 2, 2}).mean == near(1));
  }
}

TEST_CASE("more rails than a tree can have leaves: the radix that is needed, and no less") {
  for (int i = 0; i < 100; ++i) {
    const std::int64_t rails = any(9, 9000);
    FabricDesign design{.gpus = rails, .radix = 4, .topology = RailOptimized{.rails = rails}};
    const FabricProblem problem = problem_of(design);
    CAPTURE(rails);
    CHECK(problem.subject == "leaf");
    CHECK(problem.have == 4);
    design.radix = problem.need;
    CHECK(std::holds_alternative<FabricCount>(count_fabric(design)));
    design.radix -= 2;
    CHECK(problem_of(design).need == problem.need);
  }
}
