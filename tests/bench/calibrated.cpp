// Speed of the calibrated model, one strategy at a time, and of its search. One core:
//   taskset -c 0 build/bench/bin/planner_bench --benchmark_filter=calibrated
#include "planner/perf/calibrated/calibrated.hpp"

#include <benchmark/benchmark.h>

#include "planner/search/search.hpp"
#include "support/gpt.hpp"
#include "support/random_workloads.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

/// 128 experts, 8 per token, in 60 layers of 7,168, on 2,048 GPUs.
Workload mixture_on_h800() {
  Workload workload{.model = gpt(60, 7168, 128),
                    .system = gh200_cluster(8, 80 * units::GB),
                    .run = {.global_batch = 8192, .sequence = 4096},
                    .gpus = 2048};
  workload.model.moe = MoeSpec{.experts = 128, .top_k = 8, .expert_ffn_hidden = 2048};
  workload.timing = prior_calibration();
  workload.system.accelerator.generation = Generation::hopper;
  workload.system.accelerator.memory_bandwidth = 3350 * units::GBps;
  workload.software = software_of(SoftwareClass::te);
  return workload;
}

/// Calibrated::evaluate().
void calibrated_scalar_evaluate(benchmark::State& state) {
  const Workload workload = mixture_on_h800();
  const Calibrated model(workload);
  std::vector<Strategy> all;
  for (const std::int64_t t : {1, 2, 4, 8}) {
    for (const std::int64_t p : {1, 2, 4, 5, 10}) {
      for (const std::int64_t b : {1, 2, 4}) {
        all.push_back(
            {.tp = {t, 1}, .pp = {1, p}, .dp = {8 / t, 256 / p}, .ep = {8, 4}, .micro_batch = b});
      }
    }
  }
  for (auto _ : state) {
    for (const Strategy& strategy : all) benchmark::DoNotOptimize(model.evaluate(strategy));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}
BENCHMARK(calibrated_scalar_evaluate);

/// Every axis open; `prune` false evaluates all of them.
void calibrated_search(benchmark::State& state, bool prune) {
  const Workload workload = mixture_on_h800();
  const SearchSpace space = all_calibrated_axes(workload);
  std::int64_t strategies = 0;
  for (auto _ : state) {
    strategies += rank_strategies(workload, space, {.threads = 1, .prune = prune}).strategies;
  }
  state.SetItemsProcessed(strategies);
}
BENCHMARK_CAPTURE(calibrated_search, nothing_pruned, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(calibrated_search, pruned, true)->Unit(benchmark::kMillisecond);

}  // namespace
