// On small floors the search finds the best of all arrangements, and the bound is below it.

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "planner/site/bound.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::test;
using doctest::Approx;

/// Least metres in trays of all ways to put the racks on the floor's places.
double least_of_all(const site::RackPlan& plan, const site::Floor& floor) {
  const site::Rows flows = site::all_flows(plan);
  const std::size_t racks = plan.racks.size();
  std::vector<std::int32_t> order(floor.places());
  std::iota(order.begin(), order.end(), 0);
  double least = 1e300;
  do {
    const site::Places places(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(racks));
    least = std::min(least, site::tray_metres(flows, floor, places));
    // The next choice of the first places: what follows them does not matter.
    std::reverse(order.begin() + static_cast<std::ptrdiff_t>(racks), order.end());
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST_CASE("property: searched is the best arrangement on small floors") {
  int compared = 0;
  for (const std::int64_t gpus : {4, 6, 8, 10}) {
    for (const double per_rack : {1.0, 2.0, 4.0}) {
      const FabricDesign design{.gpus = gpus, .radix = 4, .topology = FatTree{.max_tiers = 2}};
      if (!std::holds_alternative<FabricCount>(count_fabric(design))) continue;
      site::Hardware hardware = hardware_of(design, 2, 5000, 500);
      hardware.node_units = 40;  // a node a rack
      const Site site{.switches_per_rack = per_rack,
                      .bay_racks = 4,
                      .block_racks = 4,
                      .rows = 2,
                      .row_blocks = 1,
                      .medium_step_m = 0};
      const auto result =
          site::build(hardware, site, media_800g(), {.arrangement = Arrangement::searched});
      if (!std::holds_alternative<site::Build>(result)) continue;  // the floor is too small
      const auto& build = std::get<site::Build>(result);
      CAPTURE(gpus);
      CAPTURE(per_rack);
      const double least = least_of_all(build.plan, build.floor);
      CHECK(build.laid.tray_m == Approx(least).epsilon(1e-9));
      CHECK(site::least_tray_metres(build.plan, build.floor) <= least + 1e-9);
      ++compared;
    }
  }
  CHECK(compared >= 3);
}

}  // namespace
