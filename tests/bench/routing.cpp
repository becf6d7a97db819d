// Speed of the routing model on 100,000 GPUs of a three-tier fat tree.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <variant>
#include <vector>

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

/// S of a plan's five kinds of groups in parts of zones, nothing being known.
void groups_in_zones(benchmark::State& state, const FabricDesign& design, std::int64_t cluster,
                     std::int64_t job, const std::vector<std::int64_t>& free) {
  const FabricCount count = std::get<FabricCount>(count_fabric(design));
  const Routing routing{.scheme = RoutingScheme::ecmp_qp, .qps = 4};
  for (auto _ : state) {
    const JobSlowdowns slowdowns(*routed_fabric(design, count, cluster, 8),
                                 {.gpus = job, .free_gpus = free}, routing);
    for (const GroupFlows& groups :
         {GroupFlows{FlowKind::ring, 8, job / 512}, GroupFlows{FlowKind::line, job / 64, 64},
          GroupFlows{FlowKind::wrap, job / 64, 64}, GroupFlows{FlowKind::all_to_all, 1, 64},
          GroupFlows{FlowKind::all_to_all, 8, 64}}) {
      benchmark::DoNotOptimize(slowdowns.of(groups));
    }
  }
}
BENCHMARK_CAPTURE(groups_in_zones, meta_ai_zone, default_design(Topology::meta_ai_zone), 24'576,
                  6144, std::vector<std::int64_t>(8, 768))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(groups_in_zones, two_zones, default_design(Topology::two_zone_fat_tree, 1240),
                  9'920, 6144, std::vector<std::int64_t>{3072, 3072})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
