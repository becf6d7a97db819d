#pragma once

namespace planner {

/// Factors that runs of one's own may put on predicted times: no machine is farther off.
inline constexpr double kLeastOwnFactor = 0.05, kMostOwnFactor = 20;

}  // namespace planner
