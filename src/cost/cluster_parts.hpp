#pragma once

#include <cstdint>
#include <optional>

#include "planner/cost/network_parts.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/system.hpp"

namespace planner::inline cost {

/// What a cluster file names, looked up in the catalog.
struct ClusterModels {
  Accelerator accelerator;     ///< the system's
  std::optional<Node> node{};  ///< the cluster's, else the system's; nothing: neither names one
  FabricModels fabric{};
};

/// Servers bought: whole ones, enough for the GPUs.
std::int64_t nodes_of(const Cluster& cluster, const Node& node);

/// NIC ports of the network: as the file says, else one for each NIC of the nodes, else one for
/// each GPU.
std::int64_t endpoints_of(const Cluster& cluster, const std::optional<Node>& node);

/// Everything that is bought: nodes (or the bare GPUs, and a line for the unknown rest of their
/// nodes), the network, storage, the extra lines.
PartsResult cluster_parts(const Cluster& cluster, const ClusterModels& models,
                          const FabricCount& count, const PriceBook& book);

}  // namespace planner::cost
