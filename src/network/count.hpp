#pragma once

#include "planner/domain/fabric.hpp"

namespace planner {

/// Counts the parts of a network by its topology's formulas in whole numbers, or says which rule
/// the design breaks, by how much, and the most endpoints that would fit.
CountResult count_fabric(const FabricDesign& design);

/// The cluster of the topology's own paper.
FabricDesign default_design(Topology topology);

}  // namespace planner
