#pragma once

#include <vector>

#include "planner/reliability/outcome_law.hpp"

namespace planner::inline reliability {

/// A part of a sum: `weight`·X, X split log-normal about its median of 1.
struct UncertainPart {
  double weight = 0;  ///< positive
  LogSpread spread{};
};

/// What a constant and independent parts come to together: c + Σ w_k·X_k. The density of the part
/// that spreads most, on a grid of equal cells, folded with each of the others at the nodes of the
/// trapezium rule; no random numbers.
class SumLaw {
 public:
  /// @param constant  what nothing is unknown of; the sum of all must be positive
  SumLaw(double constant, std::vector<UncertainPart> parts);

  /// The value that a share p of all cases stay within, 0 < p < 1. Within 0.3 % from p = 0.05 to
  /// 0.95 of simulations.
  [[nodiscard]] double quantile(double p) const;
  /// P(sum <= value).
  [[nodiscard]] double share_within(double value) const;
  /// Values that all cases lie between; the same where nothing is unknown.
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  double low_ = 0, high_ = 0, cell_ = 0;
  std::vector<double> below_;  ///< P(sum <= low + i·cell), i from 0
};

}  // namespace planner::reliability
