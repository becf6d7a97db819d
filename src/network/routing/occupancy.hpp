#pragma once

#include <cstdint>

#include "planner/network/routing/load_distribution.hpp"

// Equal flows that a hash puts on links, each on any of them alike and independent of the others.
namespace planner::inline network {

/// Load of the fullest of L links over the mean F/L: exact up to kMostExactLoad flows per link, the
/// closed form beyond, which is within 0.1 % there.
LoadDistribution max_mean_ratio(std::int64_t flows, std::int64_t links);
inline constexpr std::int64_t kMostExactLoad = 64;

/// Load of the link that one given flow is on, over the mean: 1 + Bin(F-1, 1/L).
LoadDistribution tagged_load_ratio(std::int64_t flows, std::int64_t links);

}  // namespace planner::network
