#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/divisors.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/network/clos/whole.hpp"

namespace planner::inline network {

/// The smallest divisor of n that is at least `least`; nothing if least > n.
/// This is the even-spreading rule of NVIDIA's tables: spines divide the uplinks of a leaf.
std::optional<Whole> smallest_divisor(Whole n, Whole least);

/// How switches of a tier reach the tier above in parallel groups: G groups of c switches, where G
/// divides the switches of a pod (or spine group) and c the uplinks of each.
struct ParallelGroups {
  Whole groups;     ///< G
  Whole per_group;  ///< c
  [[nodiscard]] Whole switches() const { return groups * per_group; }
};

/// The fewest switches G·c ≥ least with G | members and c | uplinks, which spreads every uplink
/// evenly; ties go to the smaller G (more paths per switch). Nothing if none are enough.
std::optional<ParallelGroups> fewest_parallel_groups(Whole members, Whole uplinks, Whole least);

/// The fewest uplinks of a leaf that are no more oversubscribed than down : up, at least one.
/// @param down  Gb/s towards the endpoints of so many leaves, which share them evenly
std::int64_t least_uplinks(Whole down, Whole leaves, Ratio ratio, std::int64_t port_gbps);

/// p^n for a prime p and n ≥ 1.
bool is_prime_power(std::int64_t n);

/// In lowest terms; 0:0 stays.
Ratio lowest_terms(Ratio ratio);

}  // namespace planner::network
