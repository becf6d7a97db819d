#pragma once

#include <functional>
#include <vector>

#include "planner/domain/estimate.hpp"

// Days of a run when everything is uncertain together: the failures of the run itself, their rates,
// how long recoveries take, the model of the iteration. A fixed grid over the factors, no random
// numbers. Dollars: product_law.hpp.
namespace planner::inline reliability {

/// Of a figure whose low and high ends hold `share` of all cases: ln(expected/low)/z and
/// ln(high/expected)/z with z = Φ⁻¹((1 + share)/2), 1.2816 for 80 %. All three must be positive.
LogSpread log_spread(const Estimate<double>& figure, double share = 0.8);

/// What nearly all values of a logarithm lie between.
struct LogReach {
  double low = 0, high = 0;
};

/// P(logarithm <= start + i·cell), i from 0.
struct LogTable {
  double start = 0, cell = 0;
  std::vector<double> below;

  [[nodiscard]] double share_below(double logarithm) const;
  /// The logarithm that a share p of all cases stay within, 0 < p < 1.
  [[nodiscard]] double quantile(double p) const;
};

/// P(a logarithm <= value).
using ShareBelow = std::function<double(double)>;

/// Of the sum of two independent logarithms: their densities on one grid of equal cells, folded.
LogTable folded(const ShareBelow& one, LogReach of_one, const ShareBelow& other, LogReach of_other);

/// A positive outcome that is uncertain.
class OutcomeLaw {
 public:
  /// Nothing is unknown.
  explicit OutcomeLaw(double value) : least_(value) {}
  /// @param table  of ln(outcome/least - 1 + 0.01)
  OutcomeLaw(double least, LogTable table) : least_(least), table_(std::move(table)) {}

  /// P(outcome <= value).
  [[nodiscard]] double share_within(double value) const;
  /// The value that a share p of all cases stay within, 0 < p < 1. Within 1 % from p = 0.05 to
  /// 0.95 of simulations.
  [[nodiscard]] double quantile(double p) const;
  /// ln of the values that all but 2e-5 of the cases on either side lie between.
  [[nodiscard]] LogReach reach() const;
  /// The same with a factor that is independent of it, split log-normal about 1.
  [[nodiscard]] OutcomeLaw times(const LogSpread& factor) const;

 private:
  explicit OutcomeLaw(LogTable product) : table_(std::move(product)) {}
  [[nodiscard]] double to_table(double value) const;
  [[nodiscard]] double from_table(double logarithm) const;

  double least_ = 0;  ///< 0: the table is of ln(outcome)
  LogTable table_;    ///< empty: the least, for certain, but for this factor
  LogSpread factor_{};
};

/// What rates and recovery times so many standard deviations from what is expected come to: by how
/// much of `least` shares of all runs exceed it at most; a single figure where it is that of every
/// share.
using ExcessAt = std::function<std::vector<double>(double rates, double recovery,
                                                   const std::vector<double>& shares)>;

/// The outcome where these deviations are normal. They are looked at in nodes, at 0, 0.8, 1.6
/// and 2.5 standard deviations; where only one of them varies up to 2.8, and at others between
/// these, at most every 0.2, where second differences tell that a line would be off by 0.01 in the
/// middle. Between two, of each share, ln(excess + 0.01) is linear, but no further than 1 from the
/// nearer one, as where one run more meets a rare loss; between two shares too, the ends that are
/// asked for most among them. So what is worse in every node of the same ones is worse at every
/// quantile, and moves it in no jumps. Of rates and recovery times one is looked at in the middle
/// of parts of the way only: recovery times, or
/// rates that are known seven times as well.
/// @param least  outcome, where nothing is in excess
/// @param rates, recovery  standard deviations of the logarithms of these, 0 where they are known
OutcomeLaw outcome_law(double least, const ExcessAt& excess, double rates, double recovery);

}  // namespace planner::reliability
