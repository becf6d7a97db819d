#pragma once

#include "planner/calibration/calibrate.hpp"
#include "planner/calibration/error_summary.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/options/fit.hpp"

namespace planner::commands {

struct CalibrateRequest {
  FitChoice fit;
  std::optional<std::string> memory_data, nccl_tests, system, gemms, attention, accelerator, name,
      title;
};

/// Rows that were fitted, and how far the new constants are off on them.
struct FittedRows {
  std::int64_t rows = 0, sources = 0;
  ErrorSummary errors{};
};

/// A constant that rows speak of, or that was measured by itself.
struct NewConstant {
  std::string name;       ///< "host_time.eager"
  double before = 0;      ///< what the fit started from
  bool measured = false;  ///< by itself
};

/// A new calibration, and what it was made from.
struct CalibrateAnswer {
  std::vector<std::string> data{};  ///< files given, by option: "--data runs.jsonl"; empty: ours
  std::string expected{};           ///< name of the calibration that it started from
  FittedRows time{}, memory{};
  /// Share of rows that the intervals hold; nothing: they stay as they were.
  std::optional<double> held_dense{}, held_moe{};
  std::vector<OwnFit> own{};  ///< what runs of one's own changed
  Calibration calibration{};
  /// All others stay as they were; nothing: an answer that was saved without them.
  std::optional<std::vector<NewConstant>> constants{};
};

CalibrateAnswer calibrate_constants(const CalibrateRequest& request, Context& context);
const json::FieldTable<CalibrateAnswer>& calibrate_fields();
present::Document calibrate_view(const CalibrateAnswer& answer);
/// The calibration as a file of the catalog.
std::string calibration_file(const CalibrateAnswer& answer);

/// `planner calibrate`: constants of the calibrated model from measurements.
Command calibrate();

}  // namespace planner::commands
