// Speed of the physical build.

#include <benchmark/benchmark.h>

#include "support/site_clusters.hpp"

namespace {

using namespace planner;
using namespace planner::testing;

void build_regular_98k_cables(benchmark::State& state) {
  const SiteCluster cluster = rail_optimized_32768();
  for (auto _ : state) {
    benchmark::DoNotOptimize(built(cluster, Arrangement::regular).laid.required_m);
  }
}
BENCHMARK(build_regular_98k_cables)->Unit(benchmark::kMillisecond);

void build_searched_h100_16k(benchmark::State& state) {
  const SiteCluster cluster = h100_16k();
  for (auto _ : state) {
    benchmark::DoNotOptimize(built(cluster, Arrangement::searched).laid.required_m);
  }
}
BENCHMARK(build_searched_h100_16k)->Unit(benchmark::kMillisecond);

void wire_a_million_cables(benchmark::State& state) {
  const FabricDesign design{.gpus = 333'312, .radix = 128, .topology = RailOptimized{.rails = 8}};
  const FabricCount count = count_of(design);
  for (auto _ : state) benchmark::DoNotOptimize(site::wire(design, count).cables());
}
BENCHMARK(wire_a_million_cables)->Unit(benchmark::kMillisecond);

}  // namespace
