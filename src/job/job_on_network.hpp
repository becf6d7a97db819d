#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/core/diagnostic.hpp"
#include "planner/core/quantity.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/system.hpp"
#include "planner/network/routing/routed_fabric.hpp"

namespace planner::job {

/// GPUs whose cards send together: those of a node, or of an HB domain that is several whole nodes.
std::int64_t gpus_sending_together(const System& system, const Node& node);

/// A job on a counted network.
struct JobOnNetwork {
  std::string name;  ///< of the cluster
  FabricDesign design;
  FabricCount count;
  std::int64_t cluster_gpus = 0;
  std::int64_t node_gpus = 1;  ///< whose cards send together
  std::int64_t job_gpus = 0;
  BytesPerSecond nominal{};    ///< of the network, per GPU and direction
  std::int64_t used_gpus = 0;  ///< of a node that the job has of each; 0: all
};

/// Of a node those of an HB domain that the job has of each; all where nodes are no domains, where
/// the job has a part of one, and where the cluster has too few of them for that.
std::int64_t used_gpus(const JobOnNetwork& on, const System& system, std::int64_t of_domain);
/// GPUs of the nodes that a job stands on.
std::int64_t gpus_of_nodes(const JobOnNetwork& on);
/// The network as the job sees it, see of_used_gpus(); nothing: see routed_fabric().
std::optional<RoutedFabric> fabric_of_job(const JobOnNetwork& on);

/// That routing on such a network is not modelled, and what would be needed.
Diagnostic no_routing(const JobOnNetwork& on);

}  // namespace planner::job
