#pragma once

#include <string>
#include <vector>

#include "planner/job/cluster.hpp"

namespace planner::job {

/// What a comparison comes to, for someone who reads one sentence.
struct Verdict {
  std::string sentence;
  std::vector<std::string> turns;  ///< when it stops being true: one sentence each
};

/// Compares the clusters by total cost of ownership, or by network cost where that is all that is
/// known, and training time; the first cluster is what the others
/// are held against.
Verdict verdict(const std::vector<ClusterReport>& clusters);

}  // namespace planner::job
