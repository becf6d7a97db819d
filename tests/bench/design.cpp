// The search of designs on every whole number of nodes up to 100,000 GPUs, every network that the
// catalog opens: a deadline, a front, a range of batches. The last argument is the number of
// threads, 1 and 2. One core:
//   taskset -c 0 build/bin/planner_bench --benchmark_filter='design.*threads:1'
#include "planner/commands/design/design.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace planner;

Brief brief_of(const char* model, double tokens) {
  return {.name = "bench", .title = "bench", .runs = {{.model = model, .tokens = tokens}}};
}

const char* const kModels[] = {"llama3.1-405b", "deepseek-v3"};

void answer(benchmark::State& state, const Brief& brief, bool front) {
  const auto threads = static_cast<int>(state.range(1));
  const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  std::vector<std::string> warnings;
  const commands::OpenSpace open = commands::open_space(brief, catalog, warnings);
  design::Question question{.goals = {{.measure = Measure::tco}, {.measure = Measure::days}},
                            .front = front,
                            .limits = brief.limits};
  design::Certificate last;
  for (auto _ : state) {
    design::Times times(open.space, threads);
    last = find_designs(open.space, question, times).certificate;
    benchmark::DoNotOptimize(last);
  }
  state.counters["designs"] = static_cast<double>(last.designs);
  state.counters["searches"] = static_cast<double>(last.searches);
  state.SetItemsProcessed(state.iterations() * last.designs);
}

void models_by_threads(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"model", "threads"})
      ->ArgsProduct({{0, 1}, {1, 2}})
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void design_by_a_deadline(benchmark::State& state) {
  Brief brief = brief_of(kModels[state.range(0)], 15e12);
  brief.limits.days = 90;
  answer(state, brief, false);
}
BENCHMARK(design_by_a_deadline)->Apply(models_by_threads);

void design_front(benchmark::State& state) {
  answer(state, brief_of(kModels[state.range(0)], 15e12), true);
}
BENCHMARK(design_front)->Apply(models_by_threads);

void design_of_193_batches(benchmark::State& state) {
  Brief brief = brief_of(kModels[0], 15e12);
  brief.limits.days = 90;
  for (std::int64_t batch = 1024; batch <= 4096; batch += 16) {
    brief.runs.front().global_batch.push_back(batch);
  }
  answer(state, brief, false);
}
BENCHMARK(design_of_193_batches)
    ->ArgNames({"model", "threads"})
    ->ArgsProduct({{0}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
