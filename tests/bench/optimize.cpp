// Speed of `optimize` with and without routing: the search, the parts of HB domains and of leaves
// that it tries, and what binds. One core:
//   taskset -c 0 build/bench/bin/planner_bench --benchmark_filter=optimize
#include "planner/commands/optimize/optimize.hpp"

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace {

using namespace planner;

struct Job {
  const char* model;
  std::int64_t gpus;
};
constexpr Job kJobs[] = {{"gpt1t", 32'768},
                         {"gpt1t", 16'384},
                         {"llama3.1-405b", 12'288},
                         {"deepseek-v3", 2'048},
                         {"mixtral-8x22b", 512}};

struct Network {
  const char* name;
  Topology topology;
  std::map<std::string, InputValue> inputs{};
  std::int64_t most_gpus = 100'000;  ///< that it has room for
};
const Network kNetworks[] = {
    {"fat-tree", Topology::fat_tree},
    {"rail-optimized", Topology::rail_optimized},
    {"hpn-1-plane", Topology::hpn, {{"planes", std::int64_t{1}}, {"max-pods", std::int64_t{8}}}},
    {"hpn-2-planes", Topology::hpn, {{"max-pods", std::int64_t{8}}}},
    {"dcn-plus", Topology::dcn_plus, {}, 16'384},
    {"meta-ai-zone", Topology::meta_ai_zone, {}, 24'576}};

void optimize(benchmark::State& state, commands::PlanRequest request) {
  const catalog::Catalog catalog({PLANNER_SOURCE_DIR});
  request.threads = 1;
  for (auto _ : state) {
    commands::Context context{.catalog = catalog};
    benchmark::DoNotOptimize(commands::optimize_plan(request, context));
  }
}

const bool kRegistered = [] {
  const auto add = [](const std::string& name, const commands::PlanRequest& request) {
    benchmark::RegisterBenchmark(name.c_str(), optimize, request)->Unit(benchmark::kMillisecond);
  };
  for (const Job& job : kJobs) {
    commands::PlanRequest request;
    request.model = job.model;
    request.gpus = {job.gpus};
    const std::string name = "optimize/" + std::string{job.model} + "/" + std::to_string(job.gpus);
    add(name, request);
    for (const Network& network : kNetworks) {
      if (job.gpus > network.most_gpus) continue;
      for (const RoutingScheme scheme : kRoutingSchemes) {
        const bool two_planes =
            network.topology == Topology::hpn && !network.inputs.contains("planes");
        if (scheme == RoutingScheme::dual_plane && !two_planes) continue;
        request.fabric = {.topology = network.topology, .inputs = network.inputs};
        request.routing.how = {.scheme = scheme};
        if (scheme == RoutingScheme::ecmp_qp) request.routing.how.qps = 4;
        add(name + "/" + network.name + "/" + std::string{name_of(scheme)}, request);
      }
    }
  }
  return true;
}();

}  // namespace
