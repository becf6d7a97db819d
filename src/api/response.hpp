#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/api/answer_diff.hpp"
#include "planner/api/cluster_report.hpp"
#include "planner/api/job_names.hpp"
#include "planner/api/request.hpp"
#include "planner/api/verdict.hpp"
#include "planner/commands/command.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/exit_code.hpp"
#include "planner/domain/cost.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/network_part.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/forecast.hpp"
#include "planner/perf/metrics.hpp"

namespace planner {

/// Of the JSON that planner writes and reads (docs/compatibility.md).
inline constexpr const char* kSchemaVersion = "1";

/// Clusters side by side; the first is what the others are held against.
struct CompareResult {
  std::vector<ClusterReport> clusters;
  Verdict verdict;
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
  std::variant<std::monostate, commands::Answered, ClusterReport, CompareResult, SweepResult,
               SavedAnswer, DiffResult, SchemaResult>
      result;
  std::vector<std::string> warnings;
  std::vector<Diagnostic> errors;

  [[nodiscard]] bool has_result() const {
    const auto* const answered = std::get_if<commands::Answered>(&result);
    return answered ? answered->has_result() : !std::holds_alternative<std::monostate>(result);
  }
};

}  // namespace planner
