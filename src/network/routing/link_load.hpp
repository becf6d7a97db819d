#pragma once

#include <vector>

#include "planner/network/routing/routing.hpp"

namespace planner::inline network {

/// Links whose load is between two multiples of the mean, both included.
struct LoadBin {
  double low = 0, high = 0;
  double share = 0;  ///< of the links
};

/// How the load of one link is spread, over the mean of all links: at most `bins` bins, those that
/// hold less than 1 in 10,000 links left out. A failed link carries nothing and is not counted.
std::vector<LoadBin> link_load(const LinkStage& stage, const Routing& routing, std::size_t bins);

}  // namespace planner::network
