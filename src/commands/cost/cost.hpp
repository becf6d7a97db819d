#pragma once

#include "planner/commands/clusters/clusters.hpp"

// `cost`: what one cluster needs, costs and trains.
namespace planner::commands {

struct CostAnswer {
  ClusterSummary cluster;
};

CostAnswer cost_of_cluster(const ClusterRequest& request, Context& context);
const json::FieldTable<CostAnswer>& cost_fields();
present::Document cost_view(const CostAnswer& answer);

Command cost();

}  // namespace planner::commands
