// Jobs that have some GPUs of each HB domain: the links of those that stand idle are theirs.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "planner/network/routing/routed_fabric.hpp"
#include "support/any.hpp"
#include "support/fabrics.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Of all links of a tier, for each GPU that sends through them.
double links_of_gpu(const FabricTier& tier) {
  return real(tier.links) * tier.groups_of_unit / real(tier.unit_gpus);
}

}  // namespace

TEST_CASE("a GPU in use has the links of idle ones beside it, but of idle rails none") {
  int idle_leaves = 0;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t domain = any(0, 1) == 0 ? 72 : 8, used = domain * any(4, 8) / 8;
    const std::int64_t there = any(4, 100), gpus = there * domain;
    const Ratio ratio{any(1, 4), 1};
    FabricDesign design{.gpus = gpus, .radix = 64, .port_gbps = 400, .topology = {}};
    const bool rails = any(0, 1) == 0;
    if (rails) {
      design.topology = RailOptimized{.rails = domain, .oversubscription = ratio};
    } else {
      design.topology = FatTree{.oversubscription = ratio};
    }
    if (std::holds_alternative<FabricProblem>(count_fabric(design))) continue;
    const RoutedFabric all = *routed_fabric(design, counted(design), gpus, domain);
    const RoutedFabric fabric = of_used_gpus(all, used);
    CAPTURE(rails);
    CAPTURE(domain);
    CAPTURE(used);
    CAPTURE(there);
    CAPTURE(ratio.down);
    CHECK(fabric.gpus >= there * used);
    for (std::size_t tier = 0; tier < fabric.tiers.size(); ++tier) {
      const double before = links_of_gpu(all.tiers[tier]), now = links_of_gpu(fabric.tiers[tier]);
      // Rounded up to whole GPUs of each unit, and each group of links.
      CHECK(now >= before * (1 - 1e-9));
      CHECK(now <= before * real(domain) / real(used) * (1 + 1e-9));
      idle_leaves += used < domain && now == doctest::Approx(before) ? 1 : 0;
    }
  }
  CHECK(idle_leaves > 20);
}

TEST_CASE("domains side by side with idle GPUs load their leaves as those anywhere do") {
  const FabricDesign design{
      .gpus = 8208, .radix = 64, .topology = FatTree{.oversubscription = {3, 1}}};
  const RoutedFabric fabric = of_used_gpus(*routed_fabric(design, counted(design), 8208, 72), 64);
  const auto of = [&](Placement placement) {
    const RoutedJob job{.gpus = 2048, .placement = placement};
    return JobSlowdowns(fabric, job, {.scheme = RoutingScheme::spray})
        .of({FlowKind::ring, 64, 32})
        .mean;
  };
  // Of a leaf's 48 ports the job uses 43 at most, on 16 links.
  CHECK(of(Placement::whole) == doctest::Approx(43 / 16.0));
  CHECK(of(Placement::random) == doctest::Approx(43 / 16.0));
}
