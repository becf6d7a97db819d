#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/api/job_names.hpp"
#include "planner/api/answer_diff.hpp"
#include "planner/api/cluster_report.hpp"
#include "planner/api/collective_result.hpp"
#include "planner/api/hfreduce_result.hpp"
#include "planner/api/request.hpp"
#include "planner/api/verdict.hpp"
#include "planner/calibration/calibrate.hpp"
#include "planner/calibration/validation.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/list/files.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/exit_code.hpp"
#include "planner/domain/collective_library.hpp"
#include "planner/domain/cost.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/network_part.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/forecast.hpp"
#include "planner/job/reliability.hpp"
#include "planner/job/routing.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/published/published.hpp"

namespace planner {

/// Of the JSON that planner writes and reads (docs/compatibility.md).
inline constexpr const char* kSchemaVersion = "1";

/// Clusters side by side; the first is what the others are held against.
struct CompareResult {
  std::vector<ClusterReport> clusters;
  Verdict verdict;
};

struct ValidateResult {
  published::Checks rows;
};

/// Predictions of the calibrated model beside measured runs.
struct MeasuredResult {
  std::optional<std::string> data;  ///< file given; none: the rows that we ship
  std::string calibration;          ///< name
  /// Rows were predicted by fits without them.
  std::optional<LeaveOut> leave_out;
  Validation validation;
};

struct Response;

/// One combination of the varied values and what the command answers to it.
struct SweepRow {
  std::vector<std::string> values;  ///< one for each axis, as given
  std::shared_ptr<const Response> answer;
};

struct SweepResult {
  Command command = Command::optimize;  ///< that ran in every row
  std::vector<std::string> arguments;   ///< of that command
  /// Its options that do not vary: name, text. Not those that change no answer.
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<SweepAxis> axes;
  std::vector<SweepRow> rows;  ///< the last axis varies fastest
};

/// A new calibration, and what it was made from.
struct CalibrateResult {
  std::vector<std::string> data;  ///< files given, by option: "--data runs.jsonl"; empty: our rows
  std::string expected;           ///< name of the calibration it started from
  CalibrationFit fit;
  Calibration before;         ///< what it started from
  ErrorSummary time, memory;  ///< of the rows that were fitted
};

struct ShowResult {
  commands::CatalogItem item;
};

struct SchemaResult {
  std::string type;
};

/// An answer that was saved as JSON, read again: checked to be an answer with a result of a known
/// command, no further.
struct SavedAnswer {
  std::shared_ptr<const nlohmann::ordered_json> answer;
};

/// The answer to a request. Bad input and infeasible requests are answers too: with `errors`.
struct Response {
  std::optional<Command> command;  ///< none: it was not understood which
  ExitCode exit_code = ExitCode::done;
  std::variant<std::monostate, commands::Answered, CollectiveResult, HfReduceResult, RoutingResult,
               ReliabilityResult, ClusterReport, CompareResult, SweepResult, ValidateResult,
               MeasuredResult, CalibrateResult, SavedAnswer, DiffResult, ShowResult, SchemaResult>
      result;
  std::vector<std::string> warnings;
  std::vector<Diagnostic> errors;

  [[nodiscard]] bool has_result() const {
    const auto* const answered = std::get_if<commands::Answered>(&result);
    return answered ? answered->has_result() : !std::holds_alternative<std::monostate>(result);
  }
};

}  // namespace planner
