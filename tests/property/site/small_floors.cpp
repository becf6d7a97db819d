// On small floors the search finds the best of all arrangements, and the bound is below it.

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "planner/site/bound.hpp"
#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;
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

/// Least cost of giving each row a column of its own (Kuhn, Munkres; Jonker and Volgenant's form).
double least_assignment(const std::vector<std::vector<double>>& cost) {
  const std::size_t rows = cost.size(), cols = cost.front().size();
  std::vector<double> u(rows + 1, 0), v(cols + 1, 0);
  std::vector<std::size_t> row_of(cols + 1, 0), way(cols + 1, 0);
  for (std::size_t i = 1; i <= rows; ++i) {
    row_of[0] = i;
    std::size_t col = 0;
    std::vector<double> least(cols + 1, 1e300);
    std::vector<char> used(cols + 1, 0);
    do {
      used[col] = 1;
      const std::size_t row = row_of[col];
      double delta = 1e300;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= cols; ++j) {
        if (used[j] != 0) continue;
        const double now = cost[row - 1][j - 1] - u[row] - v[j];
        if (now < least[j]) {
          least[j] = now;
          way[j] = col;
        }
        if (least[j] < delta) {
          delta = least[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= cols; ++j) {
        if (used[j] != 0) {
          u[row_of[j]] += delta;
          v[j] -= delta;
        } else {
          least[j] -= delta;
        }
      }
      col = next;
    } while (row_of[col] != 0);
    for (; col != 0; col = way[col]) row_of[col] = row_of[way[col]];
  }
  double sum = 0;
  for (std::size_t j = 1; j <= cols; ++j) {
    if (row_of[j] != 0) sum += cost[row_of[j] - 1][j - 1];
  }
  return sum;
}

/// Least metres in trays where all cables end at switch racks: those on every choice of places, the
/// others by assignment.
class Exact {
 public:
  Exact(const site::RackPlan& plan, const site::Floor& floor)
      : floor_(floor), flows_(site::all_flows(plan)) {
    for (std::size_t rack = 0; rack < plan.racks.size(); ++rack) {
      (plan.racks[rack].is_network ? hubs_ : others_).push_back(rack);
    }
    at_.assign(plan.racks.size(), -1);
  }

  /// @param known  of some arrangement
  double least(double known) {
    least_ = known;
    choose(0);
    return least_;
  }
  [[nodiscard]] std::size_t hubs() const { return hubs_.size(); }

 private:
  void choose(std::size_t hub) {
    if (hub == hubs_.size()) return assign();
    for (std::int32_t place = 0; place < floor_.places(); ++place) {
      const bool taken =
          std::any_of(hubs_.begin(), hubs_.begin() + static_cast<std::ptrdiff_t>(hub),
                      [&](std::size_t other) { return at_[other] == place; });
      if (taken || !floor_.is_usable(place)) continue;
      at_[hubs_[hub]] = place;
      choose(hub + 1);
    }
  }
  void assign() {
    double between = 0, below = 0;
    for (const std::size_t hub : hubs_) {
      for (const auto& [to, cables] : flows_[hub]) {
        const bool both =
            std::find(hubs_.begin(), hubs_.end(), static_cast<std::size_t>(to)) != hubs_.end();
        if (both) between += cables * floor_.distance(at_[hub], at_[to]) / 2;
      }
    }
    std::vector<std::vector<double>> cost;
    for (const std::size_t rack : others_) {
      cost.emplace_back();
      for (std::int32_t place = 0; place < floor_.places(); ++place) {
        const bool taken = std::any_of(hubs_.begin(), hubs_.end(),
                                       [&](std::size_t hub) { return at_[hub] == place; });
        if (taken || !floor_.is_usable(place)) continue;
        double metres = 0;
        for (const auto& [to, cables] : flows_[rack]) {
          REQUIRE(at_[to] >= 0);  // all cables end at hubs
          metres += cables * floor_.distance(place, at_[to]);
        }
        cost.back().push_back(metres);
      }
      below += *std::min_element(cost.back().begin(), cost.back().end());
    }
    if (between + below >= least_) return;
    least_ = std::min(least_, between + least_assignment(cost));
  }

  const site::Floor& floor_;
  site::Rows flows_;
  std::vector<std::size_t> hubs_, others_;
  std::vector<std::int32_t> at_;
  double least_ = 0;
};

TEST_CASE("property: with few switch racks searched is the best of all placements") {
  int compared = 0;
  for (const std::int64_t gpus : {64, 128, 192, 256, 320, 384, 512}) {
    for (const double per_rack : {8.0, 16.0}) {
      for (const auto& topology :
           {TopologyOptions{RailOptimized{.rails = 8}}, TopologyOptions{FatTree{}}}) {
        SiteCluster cluster = h100_16k();
        cluster.hardware = hardware_of({.gpus = gpus, .topology = topology}, 8, 10200, 747);
        cluster.site.switches_per_rack = per_rack;
        cluster.site.bay_racks = 8;
        cluster.site.block_racks = 8;
        cluster.site.rows = 4;
        cluster.site.row_blocks = 1;
        cluster.site.keep_outs = {{.row = 2, .from = 3, .to = 3}};
        cluster.site.medium_step_m = 0;
        const site::BuildOptions options{.arrangement = Arrangement::searched};
        const auto result = build(cluster.hardware, cluster.site, cluster.media, options);
        if (!std::holds_alternative<site::Build>(result)) continue;
        const auto& found = std::get<site::Build>(result);
        Exact exact(found.plan, found.floor);
        if (exact.hubs() > 3) continue;
        CAPTURE(gpus);
        CAPTURE(per_rack);
        CAPTURE(name_of(topology_of(cluster.hardware.network.design)));
        const double least = exact.least(found.laid.tray_m);
        CHECK(found.laid.tray_m == Approx(least).epsilon(1e-9));
        CHECK(site::least_tray_metres(found.plan, found.floor) <= least + 1e-9);
        ++compared;
      }
    }
  }
  MESSAGE("compared ", compared);
  CHECK(compared >= 10);
}

}  // namespace
