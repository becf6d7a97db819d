// The search of designs on every whole number of nodes up to 100,000 GPUs, every network that the
// catalog opens: a deadline, a front, a range of batches, failures and routing. The last argument
// is the number of threads, 1 and 2. One core:
//   taskset -c 0 build/bench/bin/planner_bench --benchmark_filter='design.*threads:1'
#include "planner/commands/design/design.hpp"

#include <benchmark/benchmark.h>

#include "planner/design/recommend.hpp"

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
  const commands::OpenSpace open = commands::open_space(brief, {}, catalog, warnings);
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

/// All that a brief asks: most of it is what follows from the best, each time of networks whose
/// flows are routed and of runs that fail.
void design_with_failures_and_routing(benchmark::State& state) {
  Brief brief = brief_of(kModels[state.range(0)], 15e12);
  brief.limits.days = 90;
  brief.rates = "llama-3";
  brief.recovery = ReliabilitySettings{.optimal_checkpoint = true,
                                       .stall = Seconds{5},
                                       .detect = Seconds{60},
                                       .diagnose = Seconds{300},
                                       .restart = Seconds{600},
                                       .repair = 24 * units::hour};
  brief.routing = RoutingSettings{.scheme = RoutingScheme::ecmp};
  const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  std::vector<std::string> warnings;
  const commands::OpenSpace open = commands::open_space(brief, {}, catalog, warnings);
  for (auto _ : state) {
    design::Times times(open.space, static_cast<int>(state.range(1)));
    benchmark::DoNotOptimize(recommend(open.space, brief, 1, false, times));
  }
}
BENCHMARK(design_with_failures_and_routing)
    ->ArgNames({"model", "threads"})
    ->ArgsProduct({{0}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
