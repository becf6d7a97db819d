#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/commands/options/routing.hpp"

namespace planner {

/// The options of `planner routing`: besides those that plans have, plain numbers in the place of a
/// cluster.
struct RoutingRequest : commands::RoutingChoice {
  std::optional<std::int64_t> flows, links, uplinks, downlinks, switches, upper_links;
  std::optional<double> load;
  std::vector<double> flow_sizes;
  std::optional<std::int64_t> nic_ports, receivers;
};

}  // namespace planner
