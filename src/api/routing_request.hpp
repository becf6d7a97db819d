#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/domain/routing.hpp"

namespace planner {

/// The options of `planner routing`, and of commands that plan with routing; see routing_options()
/// for names, meanings and ranges.
struct RoutingRequest {
  RoutingSettings how;

  // Plain numbers in the place of a cluster.
  std::optional<std::int64_t> flows, links, uplinks, downlinks, switches, upper_links;
  std::optional<double> load;
  std::vector<double> flow_sizes;
  std::optional<std::int64_t> nic_ports, receivers;

  // Storage on the same network, per card.
  std::optional<double> storage_writes_GB, storage_interval_s, storage_reads_GBps,
      storage_limit_GBps, traffic_class;
  std::optional<std::int64_t> storage_flows;
};

}  // namespace planner
