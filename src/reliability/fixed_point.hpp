#pragma once

#include <functional>

namespace planner::inline reliability {

/// A point of a function, and its slope there.
struct SlopeAt {
  double at = 0, slope = 0;
};

/// Evaluates `of`, which rises more slowly than what it is of, last where both are the same: from
/// one, of which it is `found`, by a slope that is nearly its own, then by the secant through the
/// last two.
SlopeAt fixed_point(double low, double high, SlopeAt from, double found,
                    const std::function<double(double)>& of, double close);

}  // namespace planner::reliability
