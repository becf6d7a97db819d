#include "planner/design/space.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"

namespace planner::design {

std::int64_t bought_together(const SystemOption& option) {
  const std::int64_t node = option.node.accelerators, domain = option.system().hb_domain;
  return domain > node ? std::lcm(node, domain) : node;
}

std::int64_t nodes_of(const SystemOption& option, std::int64_t gpus) {
  return ceil_div(gpus, option.node.accelerators);
}

std::int64_t kept_nodes(const SystemOption& option, std::int64_t gpus) {
  return std::min(option.owned.nodes, nodes_of(option, gpus));
}

Seconds lead_of(const SystemOption& option, std::int64_t gpus) {
  return nodes_of(option, gpus) > option.owned.nodes ? option.lead : Seconds{};
}

std::vector<std::int64_t> gpu_counts(const SystemOption& option, const GpuChoice& choice) {
  const std::int64_t unit = bought_together(option);
  assert(unit > 0);
  const std::int64_t most = option.for_sale ? std::numeric_limits<std::int64_t>::max()
                                            : option.owned.nodes * option.node.accelerators;
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : choice.counts) {
    if (count % unit == 0 && count <= most) counts.push_back(count);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  if (!choice.counts.empty()) return counts;
  const std::int64_t to = std::min(choice.to, most);
  for (std::int64_t count = unit * ceil_div(choice.from, unit); count <= to; count += unit) {
    counts.push_back(count);
  }
  return counts;
}

std::int64_t count_designs(const Space& space) {
  std::int64_t designs = 0;
  for (const SystemOption& option : space.systems) {
    designs +=
        static_cast<std::int64_t>(gpu_counts(option, space.gpus).size() * option.networks.size());
  }
  return designs;
}

double iterations(const Space& space, std::size_t batch) {
  const auto& [run, size] = space.batches[batch];
  const std::int64_t sequence = space.systems.front().runs[run].job.run.sequence;
  return std::ceil(space.tokens[run] / (real(size) * real(sequence)));
}

const RunOn& run_on(const Space& space, std::size_t system, std::size_t batch) {
  return space.systems[system].runs[space.batches[batch].run];
}

Workload job_of(const Space& space, std::size_t system, std::size_t batch, std::int64_t used) {
  Workload job = run_on(space, system, batch).job;
  job.run.global_batch = space.batches[batch].size;
  job.gpus = used;
  return job;
}

}  // namespace planner::design
