// The search where routing slows what the network carries: gradients then decide which strategies
// are looked at, in either order of ranks. What it rules out it must rule out by less than any
// strategy takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
    const SearchResult expected = exhaustive(job.workload, all_of(job), Objective::time, top);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2}) {
        CAPTURE(prune);
        CAPTURE(threads);
        CHECK(rank_strategies(job.workload, job.space,
                              {.top = top, .threads = threads, .prune = prune}) == expected);
      }
    }
    CHECK(rank_strategies(job.workload, job.space, {.top = top, .count = false}) ==
          SearchResult{.best = expected.best, .fastest = expected.fastest});
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
  std::int64_t tried = 0, cut = 0;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const OnRoutedNetwork job(random);
    const Enumeration enumeration(job.workload, job.space);
    for (const Column& column : enumeration.columns()) {
      const auto pairs = enumeration.inner_pairs(column);
      const auto placements = enumeration.placements(column);
      if (pairs.empty() || placements.empty()) continue;
      const std::int64_t samples = job.workload.run.global_batch / column.dp;
      // Only what is within a bound has to be right: a kernel of its own for each, which has seen
      // no looser one.
      const auto times = [&](const Strategy& setting, std::size_t placement, double bound,
                             std::vector<double>& seconds) {
        CalibratedKernel kernel(job.workload);
        kernel.start(column, pairs, placements, samples);
        std::vector<double> memories(kernel.padded_size());
        seconds.assign(kernel.padded_size(), std::numeric_limits<double>::quiet_NaN());
        const Strategy at = placed_as(placements[placement], setting);
        if (kernel.none_within(at, bound, nullptr)) return;
        if (kernel.none_synchronised_within(at, bound, nullptr)) return;
        kernel.memories(at, kInfinity, memories);
        if (kernel.none_fitting_within(at, bound)) return;
        if (kernel.none_fitting_within(at, placement, bound)) return;
        kernel.times(at, placement, bound, memories, kInfinity, seconds);
      };
      for (const Strategy& setting : enumeration.settings(column)) {
        if (random.coin()) continue;
        const auto placement =
            static_cast<std::size_t>(random.below(static_cast<std::int64_t>(placements.size())));
        std::vector<double> exact, bounded;
        times(setting, placement, kInfinity, exact);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
          times(setting, placement, exact[k], bounded);
          CHECK(bounded[k] == exact[k]);
          ++tried;
          for (std::size_t j = 0; j < pairs.size(); ++j) cut += std::isnan(bounded[j]) ? 1 : 0;
        }
      }
    }
  }
  CHECK(tried > 3000);
  CHECK(cut > 1000);
}
