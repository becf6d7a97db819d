#pragma once

#include <limits>

#include "planner/core/quantity.hpp"

// What bounds are held against, and how exactly.
namespace planner::design {

/// A bound is lower by one part in 10⁹: sums and products here and there are formed in another
/// order.
inline constexpr double kRounding = 1 - 1e-9;

/// The time of a run that a cluster cannot do.
inline constexpr Seconds kNever{std::numeric_limits<double>::infinity()};

}  // namespace planner::design
