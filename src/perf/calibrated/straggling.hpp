#pragma once

#include "planner/perf/collectives/group.hpp"

namespace planner::inline perf {

/// What the slowest of N GPUs adds to all that an iteration waits for, but the optimizer's work: so
/// much of it.
inline constexpr auto kStragglingShare = [](auto straggling, auto N) {
  return straggling * doublings(greater(1.0, N / 8));
};

}  // namespace planner::perf
