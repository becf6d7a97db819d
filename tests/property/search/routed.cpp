// The search where routing slows what the network carries: gradients then decide which strategies
// are looked at, in either order of ranks. What it rules out it must rule out by less than any
// strategy takes.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"
#include "support/search_checks.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// In HB domains so small that stages and replicas lie in several, with networks that gradients
/// wait for and others that are never waited for.
struct OnRoutedNetwork {
  Workload workload;
  SearchSpace space;

  explicit OnRoutedNetwork(Random& random) : workload(random_calibrated_workload(random)) {
    workload.gpus = random.pick({4, 8, 8, 12, 16});
    workload.run.global_batch = random.pick({2, 4, 8});
    workload.run.sequence = random.pick({96, 512});
    workload.model.layers = random.pick({2, 4});
    workload.model.mtp_layers = 0;
    if (random.coin()) workload.model.moe.reset();
    workload.system.hb_domain = random.pick({1, 2, 4});
    workload.system.network_bandwidth = random.scale(0.01, 1000) * units::GBps;
    workload.routing = random_factors(random);
    workload.stage_limit.reset();
    workload.system.accelerator.memory = random.scale(3.6, 20) * units::GB;
    workload.system.accelerator.driver_memory.reset();
    space = all_calibrated_axes(workload);
    space.recompute = {random.coin() ? Recompute::none : Recompute::selective, Recompute::full};
    space.recomputed_layers = 0.5 * static_cast<double>(random.pick({1, 2}));
    if (random.coin()) space.pins.interleave = {1};
    if (random.coin()) space.without_interleaving = Schedule::zero_bubble_1p;
    space.pins.cp = {1};
  }
};

std::vector<Strategy> all_of(const OnRoutedNetwork& job) {
  std::vector<Strategy> all = every_calibrated_strategy(job.workload, job.space);
  const auto& interleaves = job.space.pins.interleave;
  std::erase_if(all, [&](const Strategy& each) {
    return each.cp.total() != 1 || (!interleaves.empty() && each.interleave != 1);
  });
  for (Strategy& each : all) each.without_interleaving = job.space.without_interleaving;
  return all;
}

}  // namespace

TEST_CASE("with routing too the search is the sorted list of all strategies") {
  Random random(183);
  int stages_outermost = 0, replicas_outermost = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    const auto top = static_cast<std::size_t>(random.pick({1, 3, 20}));
    const SearchResult expected = check_sorted_list(job.workload, job.space, all_of(job), top);
    if (expected.best.empty()) continue;
    const Ranked& best = expected.best.front();
    const SearchResult known = rank_strategies(
        job.workload, job.space,
        {.top = 1, .count = false, .known_time = best.value(fit_rule(job.workload))});
    REQUIRE(!known.best.empty());
    CHECK(known.best.front() == best);
    for (const Ranked& each : expected.best) {
      if (!each.strategy.outermost) continue;
      (each.strategy.replicas_outermost() ? replicas_outermost : stages_outermost) += 1;
    }
  }
  CHECK(stages_outermost > 30);
  CHECK(replicas_outermost > 30);
}

TEST_CASE("no bound of a kernel is above the time of a strategy that routing slows") {
  Random random(184);
  BoundsTried bounds;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    check_kernel_bounds(job.workload, job.space, random, bounds);
  }
  CHECK(bounds.tried > 3000);
  CHECK(bounds.cut > 1000);
}
