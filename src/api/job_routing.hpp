#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/api/routing_result.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/routing.hpp"

namespace planner {

/// A job on a counted network.
struct JobOnNetwork {
  std::string name;  ///< of the cluster
  FabricDesign design;
  FabricCount count;
  std::int64_t cluster_gpus = 0, node_gpus = 1, job_gpus = 0;
  BytesPerSecond nominal{};  ///< of the network, per GPU and direction
};

/// What routing leaves of the network to each collective in each scope.
/// @throws InputError "no-routing" for a topology that is no tree, UsageError for settings that
/// contradict each other or the network
RoutingResult route_job(const RoutingSettings& asked, const JobOnNetwork& on);

/// The settings with defaults in the place of what nobody said.
/// @throws UsageError where they contradict each other
Routing resolved(const RoutingSettings& asked);

/// Throws the UsageError of more failed uplinks than leave a path.
void check_failures(std::int64_t failed, std::int64_t links);

/// What stages leave, alone and together, and how one of them loads its links.
void fill_stages(const std::vector<LinkStage>& stages, RoutingResult& result);

/// Names the defaults and the formulas that were used.
void state_routing(const RoutingSettings& asked, RoutingResult& result);

}  // namespace planner
