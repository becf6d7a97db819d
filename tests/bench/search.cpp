// Speed of the closed-form model and its search on GPT-1T, 32,768 GPUs. One core:
//   taskset -c 0 build/bench/bin/planner_bench
#include "planner/search/search.hpp"

#include <benchmark/benchmark.h>

#include "planner/perf/closed_form/batch.hpp"
#include "support/gpt.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

std::vector<Strategy> every_strategy(const Workload& workload) {
  std::vector<Strategy> all;
  const SearchSpace space;
  const Enumeration enumeration(workload, space);
  for (const Column& column : enumeration.columns()) {
    for (Strategy strategy : enumeration.placements(column)) {
      for (const auto& [b, v] : enumeration.inner_pairs(column)) {
        strategy.micro_batch = b;
        strategy.interleave = v;
        all.push_back(strategy);
      }
    }
  }
  return all;
}

/// ClosedForm::evaluate(), one strategy at a time.
void scalar_evaluate(benchmark::State& state) {
  const Workload workload = gpt_1t_on_gh200();
  const ClosedForm model(workload);
  const std::vector<Strategy> all = every_strategy(workload);
  for (auto _ : state) {
    for (const Strategy& strategy : all) {
      benchmark::DoNotOptimize(model.evaluate(strategy));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}
BENCHMARK(scalar_evaluate);

/// All placements of a column with the grid of its micro-batches and interleavings.
struct Block {
  std::vector<Strategy> placements;
  ScheduleGrid grid;
};

std::vector<Block> every_block(const Workload& workload) {
  std::vector<Block> blocks;
  const SearchSpace space;
  const Enumeration enumeration(workload, space);
  for (const Column& column : enumeration.columns()) {
    Block block{.placements = enumeration.placements(column), .grid = {}};
    block.grid.reset(column.pp, workload.run.global_batch / column.dp);
    for (const auto& [b, v] : enumeration.inner_pairs(column)) block.grid.add(b, v);
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::int64_t strategies_in(const std::vector<Block>& blocks) {
  std::size_t count = 0;
  for (const Block& block : blocks) count += block.placements.size() * block.grid.size();
  return static_cast<std::int64_t>(count);
}

/// The batch kernel: terms of each placement, then times and memories of its grid.
void batch_kernel(benchmark::State& state) {
  const Workload workload = gpt_1t_on_gh200();
  const ClosedForm model(workload);
  const std::vector<Block> blocks = every_block(workload);
  std::vector<double> times(1024), memories(1024);
  for (auto _ : state) {
    for (const Block& block : blocks) {
      for (const Strategy& placement : block.placements) {
        evaluate_memories(model.memory_terms(placement), block.grid, memories);
        evaluate_times(model.time_terms(placement), block.grid, times);
        benchmark::ClobberMemory();
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * strategies_in(blocks));
}
BENCHMARK(batch_kernel);

/// Its vector loops alone, with the terms known: the ceiling of everything below.
void vector_loops(benchmark::State& state) {
  const Workload workload = gpt_1t_on_gh200();
  const ClosedForm model(workload);
  const std::vector<Block> blocks = every_block(workload);
  const Strategy& any = blocks.front().placements.front();
  const ClosedForm::MemoryTerms memory_terms = model.memory_terms(any);
  const ClosedForm::TimeTerms time_terms = model.time_terms(any);
  std::vector<double> times(1024), memories(1024);
  for (auto _ : state) {
    for (const Block& block : blocks) {
      for (std::size_t i = 0; i < block.placements.size(); ++i) {
        evaluate_memories(memory_terms, block.grid, memories);
        evaluate_times(time_terms, block.grid, times);
        benchmark::ClobberMemory();
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * strategies_in(blocks));
}
BENCHMARK(vector_loops);

void search_with(benchmark::State& state, const SearchSpace& space, bool prune) {
  const Workload workload = gpt_1t_on_gh200();
  std::int64_t strategies = 0;
  for (auto _ : state) {
    strategies += rank_strategies(workload, space, {.threads = 1, .prune = prune}).strategies;
  }
  state.SetItemsProcessed(strategies);
}
BENCHMARK_CAPTURE(search_with, nothing_pruned, SearchSpace{}, false);
BENCHMARK_CAPTURE(search_with, pruned, SearchSpace{}, true);
BENCHMARK_CAPTURE(search_with, all_axes_nothing_pruned, all_closed_form_axes(), false);
BENCHMARK_CAPTURE(search_with, all_axes_pruned, all_closed_form_axes(), true);

}  // namespace
