#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/fabric.hpp"

namespace planner::inline network {

/// Counts the parts of a network by its topology's formulas in whole numbers, or says which rule
/// the design breaks, by how much, and the most endpoints that would fit.
CountResult count_fabric(const FabricDesign& design);

/// The cluster of the topology's own paper; with a number of GPUs, the same network for as many.
FabricDesign default_design(Topology topology, std::optional<std::int64_t> gpus = std::nullopt);

}  // namespace planner::network
