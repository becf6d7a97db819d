#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "planner/design/bought.hpp"
#include "planner/design/known.hpp"

namespace planner::design {

/// How a space's runs are routed on its designs, each worked out when it is first asked for; what
/// their networks have in common is worked out once. May be asked from several threads.
class RoutedDesigns {
 public:
  explicit RoutedDesigns(const Space& space);

  /// A job on a network of one of the systems. The space has a routing.
  /// @throws InputError  that network cannot be routed so, as where the part that fails is in none
  Workload with(Workload job, std::size_t system, const RoutedOver& over);

 private:
  job::RoutedNetwork route(std::size_t system, const RoutedOver& over);

  std::mutex mutex_;
  const Space& space_;
  std::optional<job::RoutedNetworks> networks_;  ///< where the space has a routing
  std::map<std::pair<std::size_t, RoutedOver>, job::RoutedNetwork> known_;  ///< by system
};

}  // namespace planner::design
