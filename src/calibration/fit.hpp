#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "planner/calibration/measured_prediction.hpp"

namespace planner::inline calibration {

/// How far a fit, or several, have come.
struct FitProgress {
  std::int64_t done = 0, total = 0;  ///< steps; a fit may need fewer
};

struct FitOptions {
  std::set<Constant> fixed{};  ///< constants that stay as they start
  int steps = 25;              ///< most, see LeastSquaresOptions
  std::size_t threads = 0;     ///< 0: as many as there are cores; never changes a result
  /// Called from any thread, one call at a time; may be empty.
  std::function<void(const FitProgress&)> progress{};
  /// Set to stop early; results then mean nothing.
  const std::atomic<bool>* stop = nullptr;
};

/// A miss by this share of the measurement counts half of what its square would.
inline constexpr double kFitScale = 0.08;
/// Rows of one source together count as much as so many rows at most.
inline constexpr double kFitSourceRows = 36;

/// The rows that can be fitted: runs with a measured time or memory, but for those beside the fit.
std::vector<const MeasuredRow*> rows_with(const std::vector<MeasuredRow>& rows, Validated what);
/// Those beside it.
std::vector<const MeasuredRow*> rows_beside(const std::vector<MeasuredRow>& rows, Validated what);

bool on_tpu(const MeasuredRow& row);
/// Whether XLA compiled what ran.
bool compiled(const MeasuredRow& row);

/// What each row counts: 1, or less where its source has more than kFitSourceRows.
std::vector<double> row_weights(const std::vector<const MeasuredRow*>& rows);

/// The constants of the time, or of the memory, that fit the rows best: the least sum over rows of
/// weight·ln(1 + z²), z = ln(predicted/measured)/kFitScale (Cauchy's loss, so that a few bad rows
/// pull little), and over constants of (ln(value/expected)/spread)². Levenberg-Marquardt over the
/// constants' logarithms, from the expected values. Constants of jax are fitted after all others,
/// to its rows; rows on TPUs are for these alone, and do not move what GPUs' many say.
/// @param expected  what the fit starts from and is drawn to; other constants stay as they are here
Calibration fitted(const std::vector<const MeasuredRow*>& rows, Validated what,
                   const CalibrationPtr& expected, const FitOptions& options);

/// d ln(predicted)/d ln(constant) of each row, by the constants of `what` in the order of Constant.
std::vector<std::vector<double>> sensitivities(const std::vector<const MeasuredRow*>& rows,
                                               Validated what, const CalibrationPtr& calibration,
                                               std::size_t threads);

/// The constants of the time, or of the memory.
std::vector<Constant> constants_of(Validated what);

}  // namespace planner::calibration
