#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "planner/calibration/fit.hpp"
#include "planner/calibration/intervals.hpp"
#include "planner/calibration/own.hpp"

namespace planner::inline calibration {

/// What a calibration is made from.
struct CalibrationData {
  std::vector<MeasuredRow> times, memories;  ///< rows without the figure are overlooked
  /// Constants that were measured by themselves: the fit leaves them alone.
  std::map<Constant, double> measured;
  /// Runs of one's own, from which no constant is taken: they put a factor on the times of their
  /// own accelerator and software.
  std::vector<MeasuredRow> own{};
};

/// A calibration and how it came about.
struct CalibrationFit {
  Calibration calibration;
  std::int64_t time_rows = 0, memory_rows = 0;  ///< that were fitted
  std::int64_t time_sources = 0, memory_sources = 0;
  double held_dense = 0, held_moe = 0;  ///< share of rows, see Intervals
  std::set<Constant> fitted, measured;  ///< all others are those it started from
  std::vector<OwnFit> own;              ///< what one's own runs changed
};

/// Fits the memory constants to the rows with a peak, then the time's to those with a time; a
/// constant that no row speaks of keeps its value of `expected`. With rows of three sources or more
/// the intervals are taken anew, each source predicted by a fit without it; kinds of runs that have
/// too few rows for it keep those of `expected`. Values are rounded to four digits. Own runs take
/// the place of those that `expected` has of the same accelerator, software and kind of model.
CalibrationFit calibrate(const CalibrationData& data, const CalibrationPtr& expected,
                         const FitOptions& options);

}  // namespace planner::calibration
