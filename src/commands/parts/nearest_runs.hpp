#pragma once

#include <string>
#include <vector>

#include "planner/calibration/nearest_runs.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/document.hpp"

// The runs that somebody measured beside what is to be trained.
namespace planner::commands {

/// A measured run beside what we say of it.
struct NearestRow {
  std::string id, source, model, gpu;
  Precision precision{};
  std::int64_t gpus = 0, sequence = 0, global_batch = 0;
  std::string strategy;  ///< its degrees
  double unlikeness = 0;
  Seconds measured{}, predicted{};
  FlopsPerSecond model_flops_per_gpu{};  ///< as measured
  bool in_fit = true;                    ///< whether constants are fitted to it
};

/// The measured runs most like a workload, the nearest first, as its timing model predicts them.
/// @param workload  of the calibrated model
std::vector<NearestRow> nearest_rows(const std::vector<MeasuredRow>& rows, const Workload& workload,
                                     std::int64_t most);

const json::FieldTable<NearestRow>& nearest_row_fields();
/// As a table, with what near means; their sources on pages alone.
void add_nearest(const std::vector<NearestRow>& rows, present::Document& document);

}  // namespace planner::commands
