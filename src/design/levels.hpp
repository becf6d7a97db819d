#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/domain/run.hpp"

namespace planner::design {

/// The levels of a network, in GPUs that a run uses, for all that a strategy of `used` GPUs can
/// tell: groups that leave a part of `as_one` span as many consecutive parts as divide all of them,
/// so a level ends at the largest such span below it, and one that holds all GPUs is none. Equal
/// levels, equal times.
std::vector<NetworkTier> told_apart(std::span<const NetworkTier> tiers, std::int64_t used,
                                    std::int64_t as_one);

}  // namespace planner::design
