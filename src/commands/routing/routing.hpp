#pragma once

#include "planner/commands/command.hpp"
#include "planner/commands/options/routing.hpp"
#include "planner/commands/parts/routing.hpp"

namespace planner::commands {

/// Plain numbers in the place of a cluster.
struct PlainFlows {
  std::optional<std::int64_t> flows, links, uplinks, downlinks, switches, upper_links;
  std::optional<double> load;
  std::vector<double> flow_sizes;
  std::optional<std::int64_t> nic_ports, receivers;
};

struct RoutingRequest {
  std::vector<std::string> files;  ///< a cluster file, or none
  std::optional<std::int64_t> gpus;
  std::optional<double> network_bandwidth_GBps;
  RoutingChoice routing;
  PlainFlows plain;
};

struct RoutingAnswer {
  RoutingSummary summary;
};

RoutingAnswer route_flows(const RoutingRequest& request, Context& context);
const json::FieldTable<RoutingAnswer>& routing_fields();
present::Document routing_view(const RoutingAnswer& answer);

/// The routing of plain numbers.
job::RoutingResult route_plain(const RoutingRequest& asked, std::vector<std::string>& warnings);

/// `planner routing`: load balance and bandwidth of a cluster or plain numbers.
Command routing();

}  // namespace planner::commands
