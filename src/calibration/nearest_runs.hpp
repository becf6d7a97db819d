#pragma once

#include <cstddef>
#include <vector>

#include "planner/calibration/measured_prediction.hpp"

namespace planner::inline calibration {

/// What a forecast is for, as far as runs that somebody measured can be like it.
struct RunSubject {
  double parameters = 0, active_parameters = 0;
  bool mixture_of_experts = false;
  Generation generation{};
  Precision precision{};
  std::int64_t gpus = 0, sequence = 0;
};
RunSubject subject_of(const Workload& workload);

/// How unlike two runs are, by judgement, in doublings of the model's size: another size of model
/// (the active parameters) counts most, then the number of GPUs and the sequence; another GPU
/// generation, dense or not, and other bits in the products are like several doublings.
double unlikeness(const RunSubject& a, const RunSubject& b);

/// A measured run beside what the model says of it.
struct NearRun {
  const MeasuredRow* row = nullptr;
  double unlikeness = 0;
  Seconds predicted{};
};

/// The measured runs most like a subject, the nearest first, at most one of each rank group: its
/// fastest. Rows without a measured time are left out.
/// @param rows  outlive the result
std::vector<NearRun> nearest_runs(const std::vector<MeasuredRow>& rows, const RunSubject& subject,
                                  std::size_t most, const CalibrationPtr& calibration);

}  // namespace planner::calibration
