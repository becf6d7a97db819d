#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Where a job's hosts stand, and what of its traffic leaves their rack, segment or zone.
namespace planner::inline network {

/// Share of the pairs of hosts that lie in different segments, when every host talks to every other
/// alike: 1 - Σs(s-1)/(N(N-1)). 0 for a single host.
double crossing_share(std::span<const std::int64_t> segment_hosts);

/// Hosts taken from zones with so many free ones, the largest first: as few zones as possible, and
/// the fewest pairs of hosts in different zones. This is the cut that Meta's scheduler looks for
/// (Meta RoCE paper, § 3.2). Takes all where there are not enough.
std::vector<std::int64_t> minimum_cut(std::vector<std::int64_t> free_hosts, std::int64_t hosts);

/// The same in as many zones, as evenly as they hold it: the smallest part is as large as can be.
std::vector<std::int64_t> level_cut(std::vector<std::int64_t> free_hosts, std::int64_t hosts);

/// Ways to take GPUs from zones with so many free ones: the minimum cut, and the minimum and the
/// level cut of whole blocks, a node each or 1/2, 1/3, 1/4, 1/6, … 1/32 of the job, and of these
/// one in each zone, whose narrower units two together would break otherwise. Minimum cuts
/// alone would leave a job worse off where more is free: with one more node in the larger of two
/// zones the smaller has one less, and so less of its uplinks.
std::vector<std::vector<std::int64_t>> ways_to_place(const std::vector<std::int64_t>& free_gpus,
                                                     std::int64_t gpus, std::int64_t node);

/// So many hosts dealt out over `segments` as evenly as they divide, in those that get one.
std::vector<std::int64_t> spread(std::int64_t hosts, std::int64_t segments);

/// Each of `larger` in segments of `most`, filled in order.
std::vector<std::int64_t> split(std::span<const std::int64_t> larger, std::int64_t most);

/// Aligned groups of ranks of a size that divides this one lie in one segment each, where ranks
/// follow the segments: the greatest common divisor of the places at which segments end.
std::int64_t unbroken_group(std::span<const std::int64_t> segments);

}  // namespace planner::network
