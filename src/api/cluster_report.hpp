#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/api/job_names.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/cost.hpp"
#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/forecast.hpp"
#include "planner/perf/metrics.hpp"

namespace planner {

/// The training run of a cluster: the best strategy on its own fabric.
struct ClusterTraining {
  Workload workload;
  Plan plan;
  std::int64_t strategies = 0, feasible = 0;
  std::optional<SharingImpact> sharing{};  ///< where the cluster or the request asks for it
  std::optional<TrainingTotals> totals{};  ///< where the run has a number of tokens
};

/// A cluster with everything that follows from it.
struct ClusterReport {
  Cluster cluster;
  System system;
  std::optional<Node> node{};
  FabricCount fabric;
  std::string price_book;  ///< title
  std::vector<std::string> price_book_notes;
  std::optional<Economics> economics{};
  BillOfMaterials bill;
  CostBreakdown cost;
  std::optional<ClusterTraining> training{};
  std::optional<Forecast> forecast{};  ///< where the cluster has routing or failure rates
  std::vector<std::string> warnings;
};

}  // namespace planner
