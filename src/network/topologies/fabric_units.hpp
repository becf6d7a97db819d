#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/fabric.hpp"
#include "planner/network/topologies/topology.hpp"

namespace planner::inline network {

/// Ports of the fullest switch of a tier towards hosts, towards the tier above and towards that
/// below; all speeds in one tree are known from its layers.
struct TierPorts {
  std::int64_t hosts = 0, up = 0, down = 0;
  double hosts_gbps = 0, up_gbps = 0;  ///< of one port
};

TierPorts ports_of(const FabricCount& count, std::size_t tier);

/// The units of placement of a counted network; nothing for those that have none (dragonfly, slim
/// fly, torus).
std::optional<FabricUnits> fabric_units(const FabricDesign& design, const FabricCount& count);

}  // namespace planner::network
