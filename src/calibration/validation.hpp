#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/calibration/error_summary.hpp"
#include "planner/calibration/rank_statistics.hpp"
#include "planner/domain/calibration.hpp"
#include "planner/domain/measured.hpp"

namespace planner {

using CalibrationPtr = std::shared_ptr<const Calibration>;

/// What the calibrated model predicts where a run was measured, ranks placed contiguously.
/// Recomputation that the source does
/// not state is taken as none, unless a dense run of untuned software exceeds 1.3 times its memory
/// without it: then as full.
Seconds predicted_time(const MeasuredRun& run, const CalibrationPtr& calibration);

/// The same of its peak memory, counted as `metric` counts.
Bytes predicted_memory(const MeasuredRun& run, MemoryMetric metric,
                       const CalibrationPtr& calibration);

enum class Validated { time, memory };

/// One row, measured and predicted, in seconds or bytes; or why it was left out.
struct ValidatedRow {
  std::string id;
  double measured = 0, predicted = 0;
  std::string skipped{};

  [[nodiscard]] double error() const { return predicted / measured - 1; }
};

/// Predictions held against measurements.
struct Validation {
  Validated what = Validated::time;
  ErrorSummary total;
  ErrorSummary core, moe_core;  ///< rows marked core; of those, mixtures of experts
  std::map<std::string, ErrorSummary> by_source;
  /// Sources with rows that are marked SUSPECT, without those.
  std::map<std::string, ErrorSummary> without_suspects;
  std::map<MemoryMetric, ErrorSummary> by_metric;  ///< memory only
  ErrorSummary larger_sources;                     ///< of kSmallestSource rows or more, memory only
  RankStatistics rank;                             ///< time only
  std::vector<ValidatedRow> rows;
};
inline constexpr std::int64_t kSmallestSource = 3;

Validation validate_measured(const std::vector<MeasuredRow>& rows, Validated what,
                             const CalibrationPtr& calibration);

}  // namespace planner
