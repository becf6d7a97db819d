#pragma once

#include <vector>

#include "planner/calibration/error_summary.hpp"
#include "planner/calibration/measured_prediction.hpp"

namespace planner::inline calibration {

/// Which systems and software rows with a time are of, in the order of their names.
std::vector<MeasuredRuns> measured_runs(const std::vector<const MeasuredRow*>& rows);

/// Of rows with a time that no constant is fitted to, those that are like none of `calibration`'s
/// measured runs, by kind, and how far off its predictions are. Ends have four digits.
std::vector<OutsideRuns> outside_runs(const std::vector<const MeasuredRow*>& rows,
                                      const CalibrationPtr& calibration);

/// Own runs of one accelerator, software class and kind of model.
struct OwnFit {
  OwnRuns runs;
  double low_before = 0, high_before = 0;  ///< ends of the interval without them; 0 and 0: none
  ErrorSummary before, after;              ///< of the runs themselves
};

/// What one's own runs say of each accelerator, software class and kind of model that they are of:
/// own_level() of what `calibration` predicts without any own runs. Factor and ends have four
/// digits.
std::vector<OwnFit> own_fits(const std::vector<const MeasuredRow*>& rows,
                             const CalibrationPtr& calibration);

/// To four digits: more would be noise, and less would move predictions.
double rounded(double value);

}  // namespace planner::calibration
