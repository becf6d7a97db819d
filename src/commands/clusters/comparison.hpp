#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/commands/clusters/clusters.hpp"

// What a comparison of clusters is made of: a row a figure, in groups.
namespace planner::commands {

struct Measure {
  std::string name;
  /// present::none(): the cluster has no such figure
  std::function<present::Cell(const ClusterSummary&)> cell;
  present::Better better = present::Better::neither;
  bool brief = false;  ///< on a terminal too
};
struct Group {
  std::string title;
  std::vector<Measure> measures;
};

/// A figure that a cluster may not have.
template <class Value>
present::Cell known(const std::optional<Value>& value, auto&& cell) {
  return value ? present::Cell{cell(*value)} : present::none();
}

/// The sum with one amount in the place of its range: as known as it was.
Total with_amount(Total sum, Money amount);

/// "total cost over 4 years", "net present cost, at 9 % a year, over 4 years"; empty: it has none.
std::string total_cost_words(const ClusterSummary& cluster);
std::string net_present_cost_words(const ClusterSummary& cluster);

/// What is bought and paid, each figure under the years and taxes that it is of.
Group cost_group(const Clusters& clusters);

/// What 80 of 100 runs and clusters lie within, and what most stay within.
/// @param less  whether less of a run is better: only where all train the same, as long
Group outlook_group(const Clusters& clusters, present::Better less);

}  // namespace planner::commands
