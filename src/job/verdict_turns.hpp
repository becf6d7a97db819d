#pragma once

#include <string>
#include <vector>

#include "planner/job/cluster.hpp"

namespace planner::job {

/// What its network costs; not known in full where the sum is beyond Money's range.
Total network_cost(const ClusterReport& cluster);

// What would change a verdict on clusters, the first of which is the reference: a sentence each.

/// Dearer parts of a network.
std::vector<std::string> price_turns(const std::vector<ClusterReport>& clusters);
/// Flows that are routed, or forwarded, or meet an oversubscription.
std::vector<std::string> network_turns(const std::vector<ClusterReport>& clusters);

}  // namespace planner::job
