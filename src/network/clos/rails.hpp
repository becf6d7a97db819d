#pragma once

#include <optional>

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

/// Three tiers where pods of k/2 leaves hold no whole units, nor units whole pods: each rail has
/// its own spines, as many ports up as down, and every core switch reaches every rail. (r = 8, k =
/// 40: 7 units of 20 nodes take 56 leaves, 80 spines, 28 cores.)
struct RailSpines {
  Whole of_rail;  ///< spines of one rail
  Whole ports;    ///< down and up, of each
  Whole cores;
};
/// Nothing where there are fewer tiers, where pods and units are whole, and where it cannot be
/// wired: then pods of k/2 leaves are filled in turn.
std::optional<RailSpines> rail_spines(Whole units, Whole rails, Whole uplinks, Whole radix);

/// At most k·k/2 leaves per plane: k pods of k/2.
Whole most_units(Whole radix, Whole rails);
/// The least radix that a unit of so many rails takes, an even number.
Whole least_radix(Whole rails);

}  // namespace planner::network
