#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/calibration/error_summary.hpp"
#include "planner/calibration/intervals.hpp"
#include "planner/calibration/kept_out.hpp"
#include "planner/calibration/measured_prediction.hpp"
#include "planner/calibration/rank_statistics.hpp"

namespace planner::inline calibration {

/// One row, measured and predicted, in seconds or bytes; or why it was left out.
struct ValidatedRow {
  std::string id;
  double measured = 0, predicted = 0;
  double error = 0;              ///< predicted/measured - 1
  bool in_fit = true;            ///< false: it counts in no error but that beside the fit
  std::optional<bool> inside{};  ///< its interval, where it has one
  std::optional<bool> fits{};    ///< whether the plan of what ran would be said to fit
  std::string skipped{};
};

/// How many runs there are, and of how many the plan would be refused for its memory.
struct Refusals {
  std::int64_t ran = 0, said_not_to_fit = 0;

  void add(bool fits) {
    ++ran;
    said_not_to_fit += fits ? 0 : 1;
  }
};

/// Predictions held against measurements.
struct Validation {
  Validated what = Validated::time;
  ErrorSummary total;
  ErrorSummary core, moe_core;  ///< rows marked core; of those, mixtures of experts
  ErrorSummary moe;             ///< mixtures of experts
  ErrorSummary beside;          ///< runs that no constant is fitted to: in none of the others
  std::map<std::string, ErrorSummary> by_source;
  std::map<std::int64_t, ErrorSummary> by_year;  ///< of the source; without rows that do not say
  /// Sources with rows that are marked SUSPECT, without those.
  std::map<std::string, ErrorSummary> without_suspects;
  std::map<MemoryMetric, ErrorSummary> by_metric;  ///< memory only
  ErrorSummary larger_sources;                     ///< of kSmallestSource rows or more, memory only
  /// Of all runs, those marked core, and those whose source states the recomputation; where one
  /// calibration predicts them all.
  Refusals fits, core_fits, stated_fits;
  RankStatistics rank;       ///< time only
  CoverageByKind intervals;  ///< time only; no rows: there are no intervals
  std::vector<ValidatedRow> rows;
};
inline constexpr std::int64_t kSmallestSource = 3;

/// @param predictions  of the rows, in seconds or bytes; of a row that is left out any figure
Validation validate_predictions(const std::vector<MeasuredRow>& rows, Validated what,
                                const std::vector<double>& predictions);

/// validate_predictions() with those of the model under one calibration, held against its
/// intervals.
Validation validate_measured(const std::vector<MeasuredRow>& rows, Validated what,
                             const CalibrationPtr& calibration);

/// validate_predictions() with each row predicted by constants that were fitted, from the priors,
/// without it and what is left out with it; intervals are held against sources that they were not
/// taken from.
Validation validate_kept_out(const std::vector<MeasuredRow>& rows, Validated what,
                             LeaveOut leave_out, FitOptions options);

}  // namespace planner::calibration
