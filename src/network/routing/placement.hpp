#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Where a job's hosts stand, and what of its traffic leaves their rack, segment or zone.
namespace planner {

/// Share of the pairs of hosts that lie in different segments, when every host talks to every other
/// alike: 1 - Σs(s-1)/(N(N-1)). 0 for a single host.
double crossing_share(std::span<const std::int64_t> segment_hosts);

/// N hosts in segments of `size`, the last one with the rest.
double crossing_share(std::int64_t hosts, std::int64_t size);

/// Hops of a ring over all hosts that leave their segment when ranks follow the segments: one per
/// segment, none where there is only one. No other order of ranks has fewer.
std::int64_t ring_cut(std::span<const std::int64_t> segment_hosts);

/// Hosts taken from zones with so many free ones, the largest first: as few zones as possible, and
/// the fewest pairs of hosts in different zones. This is the cut that Meta's scheduler looks for
/// (Meta RoCE paper, § 3.2). Takes all where there are not enough.
std::vector<std::int64_t> minimum_cut(std::vector<std::int64_t> free_hosts, std::int64_t hosts);

}  // namespace planner
