#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/api/cluster_report.hpp"

namespace planner {

/// What a comparison comes to, for someone who reads one sentence.
struct Verdict {
  std::string sentence;
  std::vector<std::string> turns;  ///< when it stops being true: one sentence each
};

/// Compares the clusters by network cost and training time; the first cluster is what the others
/// are held against.
Verdict verdict(const std::vector<ClusterReport>& clusters);

/// What the training time charges an oversubscribed network, where no routing is given.
std::optional<std::string> oversubscription(const ClusterReport& cluster);

/// Switches, transceivers, cables, cards, or a quote for the whole.
bool is_network(PartCategory category);
/// Cost of the network alone.
/// @throws InputError "cannot-price" where the sum leaves Money's range
Total network_cost(const ClusterReport& cluster);

}  // namespace planner
