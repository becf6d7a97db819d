#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "planner/calibration/fit.hpp"

namespace planner::inline calibration {

/// What is left out of a fit together: all rows of a source, a fifth of all rank groups, or all
/// rows of sources of a year.
enum class LeaveOut { source, group, year };
constexpr std::string_view name_of(LeaveOut leave_out) {
  switch (leave_out) {
    case LeaveOut::source:
      return "source";
    case LeaveOut::group:
      return "group";
    case LeaveOut::year:
      return "year";
  }
  return "";
}
inline constexpr std::array kLeaveOuts{LeaveOut::source, LeaveOut::group, LeaveOut::year};
inline constexpr int kGroupFolds = 5;
/// Steps of a fit that only predicts what was left out of it.
inline constexpr int kKeptOutSteps = 10;

/// The fold of each row, from 0. Groups are dealt out in the order of their names; a row without
/// one is a group of its own.
std::vector<int> folds_of(const std::vector<const MeasuredRow*>& rows, LeaveOut leave_out);

/// Each row as constants predict it that were fitted, from `expected`, to the rows of all other
/// folds; seconds or bytes.
std::vector<double> predicted_kept_out(const std::vector<const MeasuredRow*>& rows, Validated what,
                                       const std::vector<int>& folds,
                                       const CalibrationPtr& expected, const FitOptions& options);

}  // namespace planner::calibration
