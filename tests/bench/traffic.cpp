// What a plan of a million GPUs sends: phases, levels, pairs and distances.
#include "planner/job/traffic.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace planner;

/// Five kinds of collectives over six levels of a tree.
void million_gpus(benchmark::State& state) {
  constexpr std::int64_t kGpus = 1'048'576;
  const std::vector<TrafficPhase> phases{
      {TrafficType::tensor, {FlowKind::ring, 1, 8}, 751 * units::GB},
      {TrafficType::context, {FlowKind::ring, 8, 4}, 1 * units::GB},
      {TrafficType::data, {FlowKind::ring, 8, 2048}, 4 * units::GB},
      {TrafficType::pipeline, {FlowKind::line, 16384, 64}, 7 * units::GB},
      {TrafficType::expert, {FlowKind::all_to_all, 1, 64}, 1 * units::GB}};
  const std::vector<std::int64_t> levels{8, 256, 1024, 24576, 131072, kGpus};
  for (auto _ : state) {
    benchmark::DoNotOptimize(network::traffic_by_level(phases, kGpus, levels));
    benchmark::DoNotOptimize(network::sending_pairs(phases, kGpus));
    benchmark::DoNotOptimize(network::pair_rows(phases, kGpus));
  }
}
BENCHMARK(million_gpus)->Unit(benchmark::kMicrosecond);

}  // namespace
