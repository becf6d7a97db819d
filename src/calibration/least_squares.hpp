#pragma once

#include <functional>
#include <vector>

namespace planner::inline calibration {

using Point = std::vector<double>;

/// The residuals at each of several points. Must depend on the points alone.
using ResidualsAt = std::function<std::vector<Point>(const std::vector<Point>& points)>;

struct LeastSquaresOptions {
  int steps = 25;           ///< most
  double tolerance = 1e-5;  ///< two steps in a row that gain a smaller share of the cost are last
  std::function<bool()> stop{};  ///< asked before each step; may be empty
};

struct LeastSquaresResult {
  Point point;
  double cost = 0;  ///< sum of the squared residuals
  int steps = 0;    ///< that lowered it
};

/// A minimum of the sum of squared residuals inside bounds: Levenberg-Marquardt (Marquardt 1963)
/// with a Jacobian of forward differences; a step is cut back to the bounds.
/// @param start  inside them
LeastSquaresResult minimise(const ResidualsAt& residuals_at, Point start, const Point& low,
                            const Point& high, const LeastSquaresOptions& options);

}  // namespace planner::calibration
