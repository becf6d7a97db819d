#pragma once

#include <cstdint>

#include "planner/network/topologies/topology.hpp"

namespace planner::inline network {

/// Units of a rail-optimized tree, as count_rails() wires it. A scalable unit holds a leaf of every
/// rail. A pod of k/2 leaves holds whole units, or a unit stands below several pods, side by side:
/// of 72 rails and 32 leaves a pod 2 1/4. Where each rail has its own spines, what stays in its
/// rail never reaches the core.
FabricUnits units_of_rails(const TreePorts& tree, std::int64_t rails, std::int64_t planes);

}  // namespace planner::network
