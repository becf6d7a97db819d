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
#include "planner/api/collective_result.hpp"
#include "planner/api/forecast.hpp"
#include "planner/api/gpu_price.hpp"
#include "planner/api/hfreduce_result.hpp"
#include "planner/api/reliability.hpp"
#include "planner/api/request.hpp"
#include "planner/api/routing_result.hpp"
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
#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/perf/derivation/explained_term.hpp"
#include "planner/perf/metrics.hpp"

namespace planner {

/// Of the JSON that planner writes and reads (docs/compatibility.md).
inline constexpr const char* kSchemaVersion = "1";

/// What a planning command worked with, once names were looked up and defaults filled in.
struct ResolvedInputs {
  Workload workload;
  Objective objective = Objective::time;
  std::vector<std::string> assumed;   ///< options that the user did not give, by name: "system"
  std::int64_t usable_hb_domain = 1;  ///< K that the strategies fill
  std::optional<RoutingResult> routing{};  ///< where --routing asks for it
  std::optional<SharingImpact> sharing{};  ///< where the options of storage ask for it
};

/// Share of a resource that is added to see whether it binds.
inline constexpr double kSensitivityStep = 0.1;

/// What the best time becomes when one resource grows by it and the search runs again.
struct Sensitivity {
  std::string resource;  ///< "network bandwidth"
  std::string option;    ///< that changes it: "network-bandwidth"
  Seconds time{};
  double change = 0;  ///< relative: -0.03 is 3 % faster
};

/// A plan whose GPUs are paid by the hour.
struct PaidPlan {
  GpuPrice price;
  RentCost cost;
  std::optional<Joules> node_energy;  ///< of one iteration, see node_energy()
};

/// The cheapest strategy of one number of GPUs. Nothing: none is possible, or none fits.
struct GpuCount {
  std::int64_t gpus = 0;
  std::optional<Plan> plan;
  std::optional<RentCost> cost;
};

struct OptimizeResult {
  Plan best;
  std::vector<Plan> top;     ///< best first
  std::vector<Plan> pareto;  ///< time against memory, see SearchResult
  std::int64_t strategies = 0, feasible = 0;
  std::vector<Sensitivity> what_binds;  ///< largest effect first
  std::optional<TrainingTotals> training;
  std::optional<PaidPlan> paid;
  std::optional<Forecast> forecast;
  std::vector<GpuCount> gpu_counts;  ///< in ascending order; empty: there was one to choose from
  std::vector<ExplainedTerm> explanation;
};

struct EstimateResult {
  Plan plan;
  std::optional<TrainingTotals> training;
  std::optional<PaidPlan> paid;
  std::optional<Forecast> forecast;
  std::vector<ExplainedTerm> explanation;
};

/// Clusters side by side; the first is what the others are held against.
struct CompareResult {
  std::vector<ClusterReport> clusters;
  Verdict verdict;
};

/// What stands behind our figure.
enum class PublishedKind {
  timing,      ///< the timing model
  goodput,     ///< the model of failures, checkpoints and spares
  computed,    ///< a general formula of ours
  arithmetic,  ///< arithmetic on published figures only
  input,       ///< not checked: it does not follow from what its source states
  shown,       ///< a parameter is not published, or it is not reproduced: no test, see the note
};

/// One published figure beside ours.
struct PublishedCheck {
  std::string id;        ///< of the case or table row it belongs to
  std::string source;    ///< paper and table
  std::string quantity;  ///< what is compared
  std::string unit;
  PublishedKind kind = PublishedKind::timing;
  double published = 0, ours = 0;  ///< not a number where there is no figure
  double tolerance = 0;  ///< largest |ours - published| that counts as reproduced, same unit
  std::string note;      ///< why they differ, where they do; may be empty
  bool at_odds = false;  ///< known not to follow from its source's own inputs: the note says why
  bool ceiling = false;  ///< ours bounds what was measured: reproduced where that is not above it

  [[nodiscard]] bool checked() const {
    return kind != PublishedKind::input && kind != PublishedKind::shown;
  }
  [[nodiscard]] bool reproduced() const;
  /// Not reproduced, and not at odds with its source's own inputs.
  [[nodiscard]] bool missed() const;
};

struct ValidateResult {
  std::vector<PublishedCheck> rows;
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
  std::optional<ResolvedInputs> inputs;
  std::variant<std::monostate, OptimizeResult, EstimateResult, commands::Answered, CollectiveResult,
               HfReduceResult, RoutingResult, ReliabilityResult, ClusterReport, CompareResult,
               SweepResult, ValidateResult, MeasuredResult, CalibrateResult, SavedAnswer,
               DiffResult, ShowResult, SchemaResult>
      result;
  std::optional<TrainingStack> emit;  ///< the plan is wanted as settings of this stack
  std::vector<std::string> warnings;
  std::vector<Diagnostic> errors;

  [[nodiscard]] bool has_result() const {
    const auto* const answered = std::get_if<commands::Answered>(&result);
    return answered ? answered->has_result() : !std::holds_alternative<std::monostate>(result);
  }
};

}  // namespace planner
