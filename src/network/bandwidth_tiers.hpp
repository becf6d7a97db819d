#pragma once

#include <cstdint>
#include <vector>

#include "planner/domain/fabric.hpp"
#include "planner/domain/run.hpp"

namespace planner::inline network {

/// Where a counted network is oversubscribed, for GPUs that are placed one after the other: first
/// along an HB domain, then domain by domain through leaves, segments, pods and zones. A rail's
/// leaf holds the GPUs of one rank of several domains, so these domains lie together. Each tier
/// passes min(1, up/down) of the bandwidth below it.
///
/// Dragonfly, slim fly and torus are taken as evenly loaded: no tier.
/// @param gpus  of the cluster: more than endpoints where GPUs share a NIC
std::vector<NetworkTier> bandwidth_tiers(const FabricDesign& design, const FabricCount& count,
                                         std::int64_t gpus);

}  // namespace planner::network
