#pragma once

#include <algorithm>
#include <vector>

#include "planner/perf/timing_model.hpp"
#include "planner/search/search.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

namespace planner::testing {

/// In HB domains so small that stages and replicas lie in several, with networks that gradients
/// wait for and others that are never waited for.
struct OnRoutedNetwork {
  Workload workload;
  SearchSpace space;

  explicit OnRoutedNetwork(Random& random) : workload(random_calibrated_workload(random)) {
    workload.gpus = random.pick({4, 8, 8, 12, 16});
    workload.run.global_batch = random.pick({2, 4, 8});
    workload.run.sequence = random.pick({96, 512});
    workload.model.layers = random.pick({2, 4});
    workload.model.mtp_layers = 0;
    if (random.coin()) workload.model.moe.reset();
    workload.software.tp_overlap = workload.run.sequence == 512;
    workload.system.hb_domain = random.pick({1, 2, 4});
    workload.system.network_bandwidth = random.scale(0.01, 1000) * units::GBps;
    workload.routing = random_factors(random);
    workload.stage_limit.reset();
    workload.system.accelerator.memory = random.scale(3.6, 20) * units::GB;
    workload.system.accelerator.driver_memory.reset();
    space = all_calibrated_axes(workload);
    space.recompute = {random.coin() ? Recompute::none : Recompute::selective, Recompute::full};
    space.recomputed_layers = 0.5 * static_cast<double>(random.pick({1, 2}));
    if (random.coin()) space.pins.interleave = {1};
    if (random.coin()) space.without_interleaving = Schedule::zero_bubble_1p;
    space.pins.cp = {1};
  }
};

/// Its strategies, within what its space pins.
inline std::vector<Strategy> all_of(const OnRoutedNetwork& job) {
  std::vector<Strategy> all = every_calibrated_strategy(job.workload, job.space);
  const auto& interleaves = job.space.pins.interleave;
  std::erase_if(all, [&](const Strategy& each) {
    return each.cp.total() != 1 || (!interleaves.empty() && each.interleave != 1);
  });
  for (Strategy& each : all) each.without_interleaving = job.space.without_interleaving;
  return all;
}

}  // namespace planner::testing
