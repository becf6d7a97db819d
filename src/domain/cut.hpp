#pragma once

#include <cstdint>
#include <vector>

#include "planner/domain/flows.hpp"

// How many flows of the groups of an axis leave a unit of consecutive GPUs: those below one switch,
// in one HB domain, in one zone. A flow is what one rank sends to one other: all of its bytes in a
// ring, as much to either side in a line, 1/(n - 1) of them to each in an all-to-all. As many enter
// the unit.
//
// Derivation. A group's ranks in a unit of consecutive GPUs are consecutive ranks of the group, so
// that a ring leaves the unit once if the unit holds a part of the group, and not at all if it
// holds none or all. A unit holds parts of at most two periods (stride · ranks GPUs, as many groups
// as the stride), one at either end of it.
namespace planner {

/// Flows out of GPUs [first, last), in units of what one rank sends (of a line: to one side).
double flows_out(const GroupFlows& groups, std::int64_t first, std::int64_t last);

/// Flows out of the busiest of the units of so many GPUs that all GPUs fall into. 0: no group
/// reaches beyond a unit.
double busiest_flows_out(const GroupFlows& groups, std::int64_t unit);

/// Units that as many flows leave.
struct AlikeUnits {
  double flows_out = 0;
  std::int64_t units = 0;

  bool operator==(const AlikeUnits&) const = default;
};

/// All units of so many GPUs that flows leave, alike ones together, most flows first. Of a number
/// of GPUs that units do not divide the last unit is smaller.
/// @param gpus  of all groups: a multiple of their period
std::vector<AlikeUnits> units_cut(const GroupFlows& groups, std::int64_t gpus, std::int64_t unit);

/// Flows out of the unit that most leave, and out of all units.
struct Cut {
  double busiest = 0, all = 0;

  bool operator==(const Cut&) const = default;
};
Cut cut(const GroupFlows& groups, std::int64_t gpus, std::int64_t unit);

/// Whether units hold whole neighbourhoods of groups, or groups whole units: the stride and the
/// unit divide one another, and so do the period and the unit. Then units are alike but for the
/// ends of lines.
bool aligned(const GroupFlows& groups, std::int64_t unit);

/// Whether all flows out of any one unit go to the same other unit, so that the links down to a
/// unit carry what those up from another do: aligned rings, two units a period, or two ranks a
/// group that are whole units apart.
bool one_neighbour(const GroupFlows& groups, std::int64_t unit);

/// Share of the hops between M hosts in random order that leave a unit which holds w of them, of
/// those that begin there: (M - w)/(M - 1).
double share_leaving_at_random(std::int64_t hosts, std::int64_t in_unit);

/// Flows of a ring over M hosts in random order that leave a unit which holds w of them.
struct RandomCut {
  double mean = 0, variance = 0;
};
/// mean w(M - w)/(M - 1), variance w(w - 1)(M - w)(M - w - 1)/((M - 1)²(M - 2)): of the M places in
/// the ring the runs that w marked ones make.
RandomCut random_ring_cut(std::int64_t hosts, std::int64_t in_unit);

}  // namespace planner
