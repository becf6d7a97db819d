// S of sprayed flows against links loaded one by one: every flow of random plans, on random trees
// and placements, put on the uplinks of the units that it leaves.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "planner/core/real.hpp"
#include "planner/network/routing/job_slowdowns.hpp"
#include "support/any.hpp"
#include "support/walked_flows.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Where a rank is: its leaf and its pod.
struct Place {
  std::int64_t leaf = 0, pod = 0;
};

/// Ranks fill the pods with most free GPUs first, leaf by leaf.
std::vector<Place> places_of(std::int64_t ranks, std::vector<std::int64_t> free,
                             std::int64_t leaf_gpus) {
  std::stable_sort(free.begin(), free.end(), std::greater<>());
  std::vector<Place> places;
  std::int64_t leaf = 0, pod = 0;
  for (const std::int64_t here : free) {
    for (std::int64_t i = 0; i < here && std::ssize(places) < ranks; ++i) {
      if (i > 0 && i % leaf_gpus == 0) ++leaf;
      places.push_back({leaf, pod});
    }
    ++leaf;
    ++pod;
  }
  return places;
}

}  // namespace

TEST_CASE("S of sprayed flows is the load of the busiest link, all flows put on links one by one") {
  int slowed = 0, smaller = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const std::int64_t node = any(1, 4);
    constexpr FlowKind kKinds[] = {FlowKind::ring, FlowKind::line, FlowKind::all_to_all,
                                   FlowKind::wrap};
    const GroupFlows groups{kKinds[any(0, 3)], node * any(1, 4), any(2, 6)};
    const std::int64_t ranks = groups.period() * any(1, 4);
    const std::int64_t leaf = node * any(1, 5), pod = leaf * any(2, 4);
    // A network for the job alone, or for others too, of which units may have any free GPUs.
    std::int64_t gpus = ranks + (any(0, 1) == 0 ? 0 : node * any(0, 12));
    std::vector<std::int64_t> asked;
    if (any(0, 2) == 0) {
      for (std::int64_t left = ranks; left > 0; left -= asked.back()) {
        asked.push_back(node * any(1, pod / node));
      }
      gpus = pod * std::ssize(asked);
    }
    const double leaf_rate = 0.1 * real(any(1, 12)), pod_rate = 0.1 * real(any(1, 12));
    const RoutedFabric fabric{
        .tiers = {{.name = "leaf",
                   .unit_gpus = leaf,
                   .cards = leaf,
                   .links = 4,
                   .rho = 1 / leaf_rate,
                   .switches_above = 4},
                  {.name = "pod", .unit_gpus = pod, .cards = pod, .links = 4, .rho = 1 / pod_rate}},
        .gpus = gpus,
        .gpus_per_node = node};
    const UplinkUse use = any(0, 1) == 0 ? UplinkUse::shared : UplinkUse::alone;
    const RoutedJob job{.gpus = ranks, .uplinks = use, .free_gpus = asked};

    std::vector<std::int64_t> free = asked;
    for (std::int64_t left = gpus; asked.empty() && left > 0; left -= pod) {
      free.push_back(std::min(pod, left));
    }
    const std::vector<Place> places = places_of(ranks, free, leaf);
    REQUIRE(std::ssize(places) == ranks);
    std::vector<Flow> flows = flows_of(groups, ranks);
    if (groups.kind == FlowKind::wrap) {  // with those along the pipeline
      const std::vector<Flow> along =
          flows_of({FlowKind::line, groups.stride, groups.ranks}, ranks);
      flows.insert(flows.end(), along.begin(), along.end());
    }
    std::map<std::int64_t, double> of_leaf, of_pod, of_node, leaf_held, pod_held;
    for (const auto& [l, p] : places) {
      leaf_held[l] += 1;
      pod_held[p] += 1;
    }
    for (const auto& [from, to, amount] : flows) {
      const Place a = places[static_cast<std::size_t>(from)];
      const Place b = places[static_cast<std::size_t>(to)];
      if (from / node != to / node) of_node[from / node] += amount;
      if (a.leaf != b.leaf) of_leaf[a.leaf] += amount;
      if (a.pod != b.pod) of_pod[a.pod] += amount;
    }
    double of_card = 1;
    for (const auto& [at, out] : of_node) of_card = std::max(of_card, out / real(node));
    double slowest = 1;
    const auto load = [&](const std::map<std::int64_t, double>& out, std::int64_t unit, double rate,
                          std::map<std::int64_t, double>& held) {
      for (const auto& [at, amount] : out) {
        // What the network has there: a full unit, or what is left for the last one.
        const double there = asked.empty() ? real(std::min(unit, gpus - at * unit)) : real(unit);
        const double share = use == UplinkUse::shared ? held[at] / there : 1;
        slowest = std::max(slowest, amount / of_card / (real(unit) * rate * share));
        smaller += there < real(unit) ? 1 : 0;
      }
    };
    load(of_leaf, leaf, leaf_rate, leaf_held);
    load(of_pod, pod, pod_rate, pod_held);
    CAPTURE(trial);
    CAPTURE(static_cast<int>(groups.kind));
    CAPTURE(groups.stride);
    CAPTURE(groups.ranks);
    CAPTURE(ranks);
    CAPTURE(gpus);
    CAPTURE(node);
    CAPTURE(leaf);
    CAPTURE(pod);
    const double found =
        JobSlowdowns(fabric, job, {.scheme = RoutingScheme::spray}).of(groups).mean;
    CHECK(found == doctest::Approx(slowest).epsilon(1e-9));
    slowed += slowest > 1 ? 1 : 0;
  }
  CHECK(slowed > 300);
  CHECK(smaller > 100);
}
