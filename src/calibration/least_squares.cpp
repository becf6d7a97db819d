#include "planner/calibration/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace planner::inline calibration {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kDifference = 1e-4;

Eigen::Map<const Vector> as_vector(const Point& point) {
  return {point.data(), static_cast<Eigen::Index>(point.size())};
}

/// Differences forward, at an upper bound backward.
Matrix jacobian(const ResidualsAt& residuals_at, const Point& at, const Vector& r,
                const Point& high) {
  std::vector<Point> points(at.size(), at);
  for (std::size_t j = 0; j < at.size(); ++j) {
    points[j][j] += at[j] + kDifference <= high[j] ? kDifference : -kDifference;
  }
  const std::vector<Point> moved = residuals_at(points);
  Matrix J(r.size(), static_cast<Eigen::Index>(at.size()));
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double step = at[j] + kDifference <= high[j] ? kDifference : -kDifference;
    J.col(static_cast<Eigen::Index>(j)) = (as_vector(moved[j]) - r) / step;
  }
  return J;
}

/// (A + damping·diag A)⁻¹ g taken off `from`, inside the bounds. What lies on a bound and would
/// leave stays there, and the others move as if it were fixed.
Point stepped(const Point& from, const Matrix& A, const Vector& g, double damping, const Point& low,
              const Point& high) {
  constexpr double kNeverSingular = 1e-9;
  Matrix damped = A;
  Vector downhill = g;
  damped.diagonal() += damping * (A.diagonal().array() + kNeverSingular).matrix();
  for (std::size_t j = 0; j < from.size(); ++j) {
    const auto i = static_cast<Eigen::Index>(j);
    if (!(from[j] <= low[j] && g[i] > 0) && !(from[j] >= high[j] && g[i] < 0)) continue;
    damped.row(i).setZero();
    damped.col(i).setZero();
    damped(i, i) = 1;
    downhill[i] = 0;
  }
  const Vector step = damped.ldlt().solve(downhill);
  Point to = from;
  for (std::size_t j = 0; j < to.size(); ++j) {
    to[j] = std::clamp(from[j] - step[static_cast<Eigen::Index>(j)], low[j], high[j]);
  }
  return to;
}

}  // namespace

LeastSquaresResult minimise(const ResidualsAt& residuals_at, Point start, const Point& low,
                            const Point& high, const LeastSquaresOptions& options) {
  constexpr int kTries = 6;
  constexpr double kFactor = 4, kLeastDamping = 1e-6;
  double damping = 1e-2;
  LeastSquaresResult best{.point = std::move(start)};
  Vector r = as_vector(residuals_at({best.point}).front());
  best.cost = r.squaredNorm();
  for (int small_gains = 0; best.steps < options.steps && small_gains < 2;) {
    if (options.stop && options.stop()) break;
    const Matrix J = jacobian(residuals_at, best.point, r, high);
    const Matrix A = J.transpose() * J;
    const Vector g = J.transpose() * r;
    bool better = false;
    for (int attempt = 0; attempt < kTries && !better; ++attempt) {
      const Point trial = stepped(best.point, A, g, damping, low, high);
      const Vector at_trial = as_vector(residuals_at({trial}).front());
      const double cost = at_trial.squaredNorm();
      better = cost < best.cost;
      if (!better) {
        damping *= kFactor;
        continue;
      }
      small_gains = (best.cost - cost) / best.cost < options.tolerance ? small_gains + 1 : 0;
      damping = std::max(damping / kFactor, kLeastDamping);
      best = {.point = trial, .cost = cost, .steps = best.steps + 1};
      r = at_trial;
    }
    if (!better) break;
  }
  return best;
}

}  // namespace planner::calibration
