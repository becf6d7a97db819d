#pragma once

#include <cstdint>
#include <span>

#include "planner/network/routing/load_distribution.hpp"

// Flows of different sizes that a hash puts on links, each on any of them alike.
namespace planner::inline network {

/// Up to so many flows every way to share links is looked at: 115,975 (Bell's number of 10).
inline constexpr std::int64_t kMostEnumeratedFlows = 10;

/// (Σw)²/Σw²: as many equal flows spread as widely.
double effective_flows(std::span<const double> sizes);

/// Load of the fullest of L links over the mean Σw/L. Flow i of F is of size w[i·pairs/F], the
/// sizes repeated for as many pairs: each pair's queue pairs are alike. Exact up to
/// kMostEnumeratedFlows; beyond, the closed form (see unequal_flows()) within what is possible: the
/// largest flow lies on one link, and one link carries all at most.
LoadDistribution unequal_max_mean_ratio(std::span<const double> sizes, std::int64_t pairs,
                                        std::int64_t flows, std::int64_t links);

}  // namespace planner::network
