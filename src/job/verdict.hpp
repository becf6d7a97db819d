#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/job/cluster.hpp"

namespace planner::job {

/// What a comparison comes to, for someone who reads one sentence.
struct Verdict {
  std::string sentence;
  std::vector<std::string> turns;  ///< when it stops being true: one sentence each
};

/// "$23.4 M": an amount, for people.
using MoneyWords = std::function<std::string(Money)>;

/// What two clusters train, as far as times of an iteration, performance and MFU are compared: the
/// number of tokens of the run is no part of it.
struct TrainedIteration {
  std::string model;
  std::int64_t global_batch = 0, sequence = 0;
  Precision precision = Precision::bf16;

  bool operator==(const TrainedIteration&) const = default;
};
TrainedIteration trained_iteration(const Workload& workload);

/// Computes the performance of a GPU of each cluster, in use or idle, against one of the first, in
/// tokens a second, where all of them train the same: the figures of their files then give way to
/// it.
void compute_performance(std::vector<ClusterReport>& clusters);

/// Performance over the nodes' cost, of a GPU, both against the reference's: Fire-Flyer AI-HPC
/// (arXiv 2408.14158), Table II. Nothing where a figure is missing.
struct CostPerformance {
  double performance = 1, cost = 1;  ///< relative
  bool computed = false;             ///< the performance, of both
  double ratio = 1;
};
std::optional<CostPerformance> cost_performance_of(const ClusterReport& one,
                                                   const ClusterReport& reference);

/// Compares the clusters by total cost of ownership, or by network cost where that is all that is
/// known, and training time; the first cluster is what the others
/// are held against.
/// @param money  of the runs
Verdict verdict(const std::vector<ClusterReport>& clusters, const MoneyWords& money);

}  // namespace planner::job
