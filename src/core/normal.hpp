#pragma once

#include <cmath>
#include <numbers>

namespace planner {

/// Φ(z): the share of a standard normal distribution below z.
inline double normal_share_below(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

/// The z with normal_share_below(z) = share, 0 < share < 1; of Boost.Math, to the last bits.
double normal_quantile(double share);

/// The z with a share of a standard normal distribution in -z … z, 0 < share < 1.
double normal_reach(double share);

}  // namespace planner
