#pragma once

#include "planner/domain/fabric.hpp"
#include "planner/network/clos/whole.hpp"

namespace planner::inline network {

/// A rail-optimized network in the terms of its scalable units.
struct Rails {
  Whole gpus;
  Whole units;           ///< scalable units
  Whole nodes_per_unit;  ///< ports down of a leaf
  Whole rails;
  Whole planes;
  Whole uplinks;   ///< of a leaf
  Whole reserved;  ///< leaf ports of the fabric manager per plane
  Whole most;
};

/// leaves = units·r·P, whole units even when the last is partly filled. Source: NVIDIA DGX SuperPOD
/// reference architectures (H100 RA-11333-001, B200, B300), compute fabric tables.
CountResult count_rails(const FabricDesign& design, const Rails& net);

/// At most k·k/2 leaves per plane: k pods of k/2.
Whole most_units(Whole radix, Whole rails);

}  // namespace planner::network
