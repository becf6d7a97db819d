#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/cost/network_parts.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/system.hpp"

namespace planner::inline cost {

/// A network beside the one between the GPUs, counted, with its parts looked up.
struct CountedNetwork {
  std::string name;  ///< "frontend", "storage", "management"
  FabricDesign design;
  FabricCount count;
  FabricModels models;
};

/// What a cluster file names, looked up in the catalog.
struct ClusterModels {
  Accelerator accelerator;     ///< the system's
  std::optional<Node> node{};  ///< the cluster's, else the system's; nothing: neither names one
  FabricModels fabric{};
  std::vector<CountedNetwork> beside{};
  /// Of all nodes, spare ones too, as a building has them, where no node is named; nothing: not
  /// known.
  std::optional<Watts> all_nodes{};
  /// Cables and transceivers as a building has them: of the GPUs' network, then of those beside it.
  /// None: as the counts have them.
  std::vector<std::vector<PartQuantity>> links{};
  std::optional<PartQuantity> optical_ports{};  ///< of switches between the trays of HB domains
};

/// The networks beside the one between the GPUs that a cluster has.
struct NamedNetwork {
  std::string name;  ///< as in bills
  std::string key;   ///< of the file
  const SideNetwork* network = nullptr;
};
std::vector<NamedNetwork> networks_beside(const Cluster& cluster);

/// Servers bought: whole ones, enough for the GPUs.
std::int64_t nodes_of(const Cluster& cluster, const Node& node);

/// Ports of a network that one of so many nodes has.
std::int64_t ports_of_node(const FabricCount& count, std::int64_t nodes);

/// Hosts in reserve that a network has ports for: as many ports a host as its other nodes have.
std::int64_t hosts_in_reserve(const FabricCount& count, std::int64_t nodes);

/// Nodes that are kept, as a line of the bill.
PartQuantity owned_nodes(Part node, std::int64_t nodes, Money resale);

/// Servers that stand by beside those of `gpus`: what the file buys, and no fewer than the network
/// has ports for, which would hang on nothing else.
std::int64_t spare_nodes_of(const Cluster& cluster, const Node& node, const FabricCount& count);

/// GPUs that stand by where no node is named: what is asked for, and no fewer than the network has
/// ports for.
std::int64_t spare_gpus_of(const Cluster& cluster, const FabricCount& count);

/// GPUs of the spares that a cluster has.
std::int64_t spare_gpus_of(const Cluster& cluster, const std::optional<Node>& node);

/// GPUs that are paid for: those of whole nodes, spare ones included.
std::int64_t gpus_paid_for(const Cluster& cluster, const std::optional<Node>& node);

/// NIC ports of the network: as the file says, else one for each NIC of the nodes, else one for
/// each GPU.
std::int64_t endpoints_of(const Cluster& cluster, const std::optional<Node>& node);

/// GPUs that these endpoints are for: those of whole nodes, where they are their NICs.
std::int64_t gpus_at_endpoints(const Cluster& cluster, const std::optional<Node>& node);

/// Ports of a network beside the one between the GPUs, by what hangs on it.
struct SidePorts {
  std::int64_t nodes = 0, storage_nodes = 0, management_nodes = 0, uplinks = 0;

  [[nodiscard]] std::int64_t all() const {
    return nodes + storage_nodes + management_nodes + uplinks;
  }
};
/// @param nodes  servers with GPUs, spare ones included
SidePorts ports_beside(const Cluster& cluster, const SideNetwork& network, std::int64_t nodes);

/// Ports of the optical circuit switches that put a spare tray in the place of a failed one, which
/// books price as "optical-circuit-switch-port". Nothing: nobody says that there are any.
std::optional<PartQuantity> optical_ports(const ReliabilitySettings& asked);

/// Puts the price of such a port that is asked for in the place of the book's.
void price_optical_ports(const ReliabilitySettings& asked, const std::string& source,
                         PriceBook& book);

/// Everything that is bought: nodes (or the bare GPUs, and a line for the unknown rest of their
/// nodes), spare nodes (spare_nodes_of, or spare_gpus_of), the networks, optical ports, storage and
/// management nodes, the extra lines. Where nodes are rented, of these the last three.
PartsResult cluster_parts(const Cluster& cluster, const ClusterModels& models,
                          const FabricCount& count, const PriceBook& book);

}  // namespace planner::cost
