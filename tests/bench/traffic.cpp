// What a plan of a million GPUs sends: phases, levels, pairs and distances.
#include "planner/job/traffic.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace {

using namespace planner;

/// Five kinds of collectives over the levels of a tree.
void million_gpus(benchmark::State& state, const std::vector<std::int64_t>& levels) {
  constexpr std::int64_t kGpus = 1'048'576;
  const std::vector<TrafficPhase> phases{
      {TrafficType::tensor, {FlowKind::ring, 1, 8}, 751 * units::GB},
      {TrafficType::context, {FlowKind::ring, 8, 4}, 1 * units::GB},
      {TrafficType::data, {FlowKind::ring, 8, 2048}, 4 * units::GB},
      {TrafficType::pipeline, {FlowKind::line, 16384, 64}, 7 * units::GB},
      {TrafficType::expert, {FlowKind::all_to_all, 1, 64}, 1 * units::GB}};
  for (auto _ : state) {
    for (const std::int64_t unit : levels) {
      benchmark::DoNotOptimize(network::traffic_of_level(phases, kGpus, unit));
    }
    benchmark::DoNotOptimize(network::sending_pairs(phases, kGpus));
    benchmark::DoNotOptimize(network::pair_rows(phases, kGpus));
  }
}
BENCHMARK_CAPTURE(million_gpus, six_levels,
                  std::vector<std::int64_t>{8, 256, 1024, 24576, 131072, 1'048'576})
    ->Unit(benchmark::kMicrosecond);
// Racks of 16, and zones of 3,072 that nothing is aligned with.
BENCHMARK_CAPTURE(million_gpus, meta_ai_zones, std::vector<std::int64_t>{8, 16, 3072, 1'048'576})
    ->Unit(benchmark::kMicrosecond);
// Pairs by NVLink, servers of 8, leaves of 20 servers, two zones.
BENCHMARK_CAPTURE(million_gpus, two_zones, std::vector<std::int64_t>{2, 8, 160, 524'288, 1'048'576})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
