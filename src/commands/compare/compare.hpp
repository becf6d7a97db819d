#pragma once

#include "planner/commands/clusters/clusters.hpp"
#include "planner/job/verdict.hpp"

// `compare`: clusters side by side, the first as the reference.
namespace planner::commands {

struct CompareResult {
  job::Verdict verdict;
  Clusters clusters;
};
struct CompareAnswer {
  CompareResult result;
};

CompareAnswer compare_clusters(const ClusterRequest& request, Context& context);
const json::FieldTable<CompareAnswer>& compare_fields();
present::Document compare_view(const CompareAnswer& answer);

Command compare();

}  // namespace planner::commands
