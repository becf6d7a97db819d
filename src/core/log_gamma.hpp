#pragma once

#include <math.h>  // lgamma_r, of POSIX

namespace planner {

/// ln Γ(x) for x > 0. std::lgamma() also writes the sign of Γ to a global variable, in which
/// threads race.
inline double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace planner
