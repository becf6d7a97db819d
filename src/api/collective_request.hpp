#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/perf/collectives/bandwidth_bound.hpp"
#include "planner/perf/collectives/time.hpp"

namespace planner {

/// The options of `planner collective` that no other command has.
struct CollectiveRequest {
  std::optional<CollectiveKind> kind;
  std::vector<Bytes> sizes;                      ///< one, or those of a range
  std::optional<CollectiveAlgorithm> algorithm;  ///< nothing: the fastest
  InSwitchReduction in_switch;
  NetworkReach reach = NetworkReach::any_to_any;
  std::optional<std::string> library;
};

}  // namespace planner
