// The search where CPUs of the nodes may sum the gradients, on nodes whose GPUs share cards: parts
// of an iteration then add up that hide behind each other elsewhere. What it rules out it must rule
// out by less than any strategy takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "planner/core/real.hpp"
#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// On servers of several HB domains, mostly with a network that gradients wait for, and with all
/// that HFReduce can sum in its space.
struct OnSharedCards {
  Workload workload;
  SearchSpace space;

  explicit OnSharedCards(Random& random) : workload(random_calibrated_workload(random)) {
    workload.gpus = random.pick({4, 8, 8, 12, 16});
    workload.run.global_batch = random.pick({2, 4, 8});
    workload.run.sequence = random.pick({96, 512});
    workload.model.layers = random.pick({1, 2, 4});
    workload.model.moe.reset();
    workload.model.mtp_layers = 0;
    put_in_shared_nodes(random, workload);
    workload.software.gradient_sync =
        random.coin() ? GradientSync::hfreduce : GradientSync::automatic;
    Node& host = *workload.system.host;
    const double slower = random.scale(0.001, 1);  // few parameters still take their time
    host.nic_bandwidth = slower * host.nic_bandwidth;
    workload.system.network_bandwidth =
        real(host.nics) / real(host.accelerators) * host.nic_bandwidth;
    if (random.coin()) workload.routing = random_factors(random);
    workload.system.accelerator.memory = random.scale(3.6, 20) * units::GB;
    workload.system.accelerator.driver_memory.reset();
    space = all_calibrated_axes(workload);
    space.recompute = {random.coin() ? Recompute::none : Recompute::selective, Recompute::full};
    if (workload.software.gradient_sync == GradientSync::hfreduce) {
      std::erase_if(space.zero, [](int stage) { return stage > 1; });
    }
    // What a few GPUs can hold of either suffices.
    space.pins.cp = space.pins.ep = {1};
    space.recomputed_layers = 0.5 * static_cast<double>(random.pick({1, 2}));
  }
};

std::vector<Strategy> all_of(const OnSharedCards& job) {
  std::vector<Strategy> all;
  for (const Strategy& each : every_calibrated_strategy(job.workload, job.space)) {
    if (each.cp.total() == 1 && each.ep.total() == 1) all.push_back(each);
  }
  return all;
}

bool by_cpus(const Workload& workload, const Strategy& strategy) {
  return evaluate(workload, strategy).sync_by == GradientSync::hfreduce;
}

}  // namespace

TEST_CASE("with sums by HFReduce too the search is the sorted list of all strategies") {
  Random random(181);
  int best_by_cpus = 0, best_by_library = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const OnSharedCards job(random);
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
    for (const Ranked& each : expected.best) {
      if (each.strategy.dp.total() == 1) continue;
      (by_cpus(job.workload, each.strategy) ? best_by_cpus : best_by_library) += 1;
    }
  }
  CHECK(best_by_cpus > 30);
  CHECK(best_by_library > 30);
}

TEST_CASE("no bound of a kernel is above the time of a strategy that HFReduce may sum for") {
  Random random(182);
  std::int64_t tried = 0, cut = 0;
  for (int i = 0; i < 160; ++i) {
    CAPTURE(i);
    const OnSharedCards job(random);
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
        kernel.memories(at, std::numeric_limits<double>::infinity(), memories);
        if (kernel.none_fitting_within(at, bound)) return;
        if (kernel.none_fitting_within(at, placement, bound)) return;
        kernel.times(at, placement, bound, memories, std::numeric_limits<double>::infinity(),
                     seconds);
      };
      for (const Strategy& setting : enumeration.settings(column)) {
        if (random.coin()) continue;
        const auto placement =
            static_cast<std::size_t>(random.below(static_cast<std::int64_t>(placements.size())));
        std::vector<double> exact, bounded;
        times(setting, placement, std::numeric_limits<double>::infinity(), exact);
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
