#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/domain/routing.hpp"
#include "planner/domain/sharing.hpp"

namespace planner {

/// The options of `planner routing`, and of commands that plan with routing; see routing_options()
/// for names, meanings and ranges.
struct RoutingRequest {
  RoutingSettings how;
  SharingSettings sharing;
  /// Of the network that a plan's job is a part of.
  std::optional<std::int64_t> cluster_gpus;

  // Plain numbers in the place of a cluster.
  std::optional<std::int64_t> flows, links, uplinks, downlinks, switches, upper_links;
  std::optional<double> load;
  std::vector<double> flow_sizes;
  std::optional<std::int64_t> nic_ports, receivers;
};

}  // namespace planner
