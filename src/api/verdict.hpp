#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/api/cluster_report.hpp"

namespace planner {

/// What would turn the order of two clusters around.
struct Turn {
  std::string what;  ///< one sentence
};

/// What a comparison comes to, for someone who reads one sentence.
struct Verdict {
  std::string sentence;
  std::vector<Turn> turns;  ///< when it stops being true
};

/// Compares the clusters by network cost and training time; the first cluster is what the others
/// are held against.
Verdict verdict(const std::vector<ClusterReport>& clusters);

/// Cost of the network alone: switches, transceivers, cables, cards, or a quote for the whole.
/// @throws InputError "cannot-price" where the sum leaves Money's range
Total network_cost(const ClusterReport& cluster);

}  // namespace planner
