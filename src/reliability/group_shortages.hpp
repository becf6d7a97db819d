#pragma once

#include <optional>
#include <vector>

#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// A loss that finds too few spares: how often, and how long until enough are back.
struct Shortage {
  double rate = 0;  ///< per second, of the hours in which units fail
  double time = 0;  ///< seconds
};

/// Shortages of a pool that loses groups too, where units fail while the job runs only: from the
/// balance of all states (j units out, g groups out), those in which the job waits among them, so
/// that what a shortage leaves is what came back in it. Exact where recoveries take no time and no
/// more than four groups find room; of more, those far from having none are counted in bundles,
/// within 0.6 % of hours waited. Units of a group that is out do not fail.
/// @param slower  what the repair times are divided by while the job runs
/// @return nothing: more states than are worth their time, as of thousands of groups out at once
std::optional<std::vector<Shortage>> group_shortages(const SparePool& pool, double slower);

}  // namespace planner::reliability
