#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/job/routing.hpp"

namespace planner::job {

/// What a network and storage on it leave to a workload; nothing of it: all of each NIC.
struct NetworkLeft {
  std::vector<NetworkTier> tiers{};         ///< where no routing is known
  std::optional<RoutingFactors> routing{};  ///< see Workload
  std::optional<std::int64_t> stage_limit{};
  std::int64_t rails_apart = 1;  ///< whatever is known of its routing
  BytesPerSecond storage_traffic{};
};
/// @param network  null: not known, and taken to join rails
NetworkLeft left_by(const std::optional<RoutingResult>& routing,
                    const std::optional<SharingImpact>& sharing, const FabricDesign* network);

/// The workload on such a network.
Workload on_network(Workload workload, NetworkLeft left);

/// What a time charges the tightest tier of its network, where no routing is given.
std::string oversubscription(const NetworkTier& tightest);

/// That a network's ports carry less than the cards at them send; both of a GPU.
std::string slow_ports(BytesPerSecond ports, BytesPerSecond cards);

}  // namespace planner::job
