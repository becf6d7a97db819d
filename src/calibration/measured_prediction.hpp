#pragma once

#include <memory>
#include <optional>

#include "planner/domain/calibration.hpp"
#include "planner/domain/measured.hpp"

namespace planner::inline calibration {

using CalibrationPtr = std::shared_ptr<const Calibration>;

enum class Validated { time, memory };

/// What was measured of a run, in seconds or bytes.
std::optional<double> measured(const MeasuredRun& run, Validated what);

/// What the calibrated model predicts where a run was measured, ranks placed contiguously.
/// Recomputation that the source does not state is taken as none, unless a dense run of untuned
/// software exceeds 1.3 times its memory without it: then as full.
class MeasuredPrediction {
 public:
  /// @param presumed  its memory constants decide on recomputation that is not stated
  MeasuredPrediction(const MeasuredRun& run, const CalibrationPtr& presumed);

  /// Seconds; or bytes as the run's own memory metric counts. Not for two threads at once.
  [[nodiscard]] double operator()(Validated what, const CalibrationPtr& calibration);
  /// Whether a plan of the run's strategy would be said to fit its GPU; where the source does not
  /// state the recomputation, with any.
  [[nodiscard]] bool fits(const CalibrationPtr& calibration);

 private:
  Workload workload_;
  Strategy strategy_;
  bool recompute_unstated_;
  MeasuredMemory memory_;  ///< what of it was measured
};

}  // namespace planner::calibration
