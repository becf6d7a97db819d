#pragma once

#include <functional>

namespace planner::inline reliability {

/// A point of a function, and its slope there.
struct SlopeAt {
  double at = 0, slope = 0;
};

/// The x of low … high with of(x) = x, of a function whose slope is below 1: from one point, where
/// it is `found`, by the slope that is told there, then by secants, until the last step is within
/// `close`. It is evaluated last at the answer.
SlopeAt fixed_point(double low, double high, SlopeAt from, double found,
                    const std::function<double(double)>& of, double close);

}  // namespace planner::reliability
