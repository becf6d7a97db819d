// The search where CPUs of the nodes may sum the gradients, on nodes whose GPUs share cards: parts
// of an iteration then add up that hide behind each other elsewhere. What it rules out it must rule
// out by less than any strategy takes.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/core/real.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"
#include "support/search_checks.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// On servers of several HB domains, mostly with a network that gradients wait for, and with all
/// that HFReduce can sum in its space.
struct OnSharedCards {
  Workload workload;
  SearchSpace space;

  explicit OnSharedCards(Random& random) : workload(random_calibrated_workload(random)) {
    workload.gpus = random.pick({4, 8, 8, 12, 16});
    workload.run.global_batch = random.pick({2, 4, 8});
    workload.run.sequence = random.pick({96, 512});
    workload.model.layers = random.pick({1, 2, 4});
    workload.model.moe.reset();
    workload.model.mtp_layers = 0;
    put_in_shared_nodes(random, workload);
    workload.software.gradient_sync =
        random.coin() ? GradientSync::hfreduce : GradientSync::automatic;
    Node& host = *workload.system.host;
    const double slower = random.scale(0.001, 1);  // few parameters still take their time
    host.nic_bandwidth = slower * host.nic_bandwidth;
    workload.system.network_bandwidth =
        real(host.nics) / real(host.accelerators) * host.nic_bandwidth;
    if (random.coin()) workload.routing = random_factors(random);
    workload.system.accelerator.memory = random.scale(3.6, 20) * units::GB;
    workload.system.accelerator.driver_memory.reset();
    space = all_calibrated_axes(workload);
    space.recompute = {random.coin() ? Recompute::none : Recompute::selective, Recompute::full};
    if (workload.software.gradient_sync == GradientSync::hfreduce) {
      std::erase_if(space.zero, [](int stage) { return stage > 1; });
    }
    // What a few GPUs can hold of either suffices.
    space.pins.cp = space.pins.ep = {1};
    space.recomputed_layers = 0.5 * static_cast<double>(random.pick({1, 2}));
  }
};

std::vector<Strategy> all_of(const OnSharedCards& job) {
  std::vector<Strategy> all;
  for (const Strategy& each : every_calibrated_strategy(job.workload, job.space)) {
    if (each.cp.total() == 1 && each.ep.total() == 1) all.push_back(each);
  }
  return all;
}

bool by_cpus(const Workload& workload, const Strategy& strategy) {
  return evaluate(workload, strategy).sync_by == GradientSync::hfreduce;
}

}  // namespace

TEST_CASE("with sums by HFReduce too the search is the sorted list of all strategies") {
  Random random(181);
  int best_by_cpus = 0, best_by_library = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const OnSharedCards job(random);
    const auto top = static_cast<std::size_t>(random.pick({1, 3, 20}));
    const SearchResult expected = check_sorted_list(job.workload, job.space, all_of(job), top);
    for (const Ranked& each : expected.best) {
      if (each.strategy.dp.total() == 1) continue;
      (by_cpus(job.workload, each.strategy) ? best_by_cpus : best_by_library) += 1;
    }
  }
  CHECK(best_by_cpus > 30);
  CHECK(best_by_library > 30);
}

TEST_CASE("no bound of a kernel is above the time of a strategy that HFReduce may sum for") {
  Random random(182);
  BoundsTried bounds;
  for (int i = 0; i < 160; ++i) {
    CAPTURE(i);
    const OnSharedCards job(random);
    check_kernel_bounds(job.workload, job.space, random, bounds);
  }
  CHECK(bounds.tried > 3000);
  CHECK(bounds.cut > 1000);
}
