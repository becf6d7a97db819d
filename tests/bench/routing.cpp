// Speed of the routing model on 100,000 GPUs of a three-tier fat tree.
#include <benchmark/benchmark.h>

#include "planner/network/count.hpp"
#include "planner/network/routing/job_slowdowns.hpp"

namespace {

using namespace planner;

void route_100k(benchmark::State& state) {
  const FabricDesign design{
      .gpus = 100'000, .radix = 128, .topology = FatTree{.pod_aligned = true}};
  const FabricCount count = std::get<FabricCount>(count_fabric(design));
  const Routing routing{.scheme = RoutingScheme::ecmp_qp, .qps = state.range(0)};
  for (auto _ : state) {
    const auto fabric = routed_fabric(design, count, 100'000, 8);
    benchmark::DoNotOptimize(route(JobSlowdowns(*fabric, {.gpus = 100'000}, routing)));
  }
}
BENCHMARK(route_100k)->Arg(1)->Arg(16)->Unit(benchmark::kMillisecond);

}  // namespace
