#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/commands/command.hpp"
#include "planner/commands/options/failures.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/options/routing.hpp"
#include "planner/commands/parts/forecast.hpp"
#include "planner/commands/parts/nearest_runs.hpp"
#include "planner/commands/parts/outlook.hpp"
#include "planner/commands/parts/traffic.hpp"
#include "planner/domain/economics.hpp"
#include "planner/handover/handover.hpp"
#include "planner/job/fabric.hpp"
#include "planner/job/rent.hpp"
#include "planner/job/strategy.hpp"
#include "planner/job/used_gpus.hpp"
#include "planner/job/workload.hpp"
#include "planner/perf/derivation/explained_term.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/model/constraints.hpp"

// What `optimize` and `estimate` share: how a plan is asked for, and what is told of it.
namespace planner::commands {

struct PlanRequest {
  std::optional<std::string> model;
  MachineChoice machine;
  std::vector<std::int64_t> gpus;        ///< several: the objective decides among them
  std::optional<std::int64_t> max_gpus;  ///< of optimize, in their place: at most so many
  job::RunChoice run;
  std::optional<Timing> timing;
  job::SoftwareChoice software;
  std::optional<std::string> calibration;
  job::StrategyChoice strategy;
  job::FabricChoice fabric;
  RoutingChoice routing;
  FailureChoice failures;
  std::optional<Objective> objective;
  std::optional<double> gpu_hour_price;  ///< US dollars
  std::optional<std::string> economics;
  std::optional<RentTerm> rent_term;
  std::optional<double> confidence;  ///< of the days and dollars told
  std::optional<std::int64_t> top, nearest;
  std::optional<double> min_p_fits;  ///< of optimize
  bool pareto = false, explain = false, traffic = false;
  std::optional<handover::TrainingStack> emit;
  std::optional<std::int64_t> threads;
};

inline constexpr std::int64_t kTop = 5;
inline constexpr const char* kDefaultEconomics = "us-2026";

enum class PlanUse { search, one, traffic };  ///< `optimize`, `estimate`, `traffic`

std::vector<OptionOf<PlanRequest>> plan_options(PlanUse use);
/// Throws the UsageError of an option that the timing model does not know.
void refuse_other_timing(const PlanRequest& request);
/// What of the request's workload nobody gave, and what of its strategy.
std::vector<std::string> assumed_inputs(const PlanRequest& request);
std::vector<std::string> assumed_axes(const PlanRequest& request, const Workload& workload);

/// What a plan stands on, as its answer says it.
struct RangeOfRuns {
  std::optional<Generation> generation{};  ///< nothing: any
  bool mixture_of_experts = false;
  std::int64_t rows = 0, sources = 0, most_gpus = 0, longest_sequence = 0;
  double widened_by = 1;
};
struct PlanInputs {
  TransformerSpec model;
  double parameters = 0;
  System system;
  std::int64_t gpus = 0, hb_domain_used = 0, global_batch = 0, sequence = 0;
  Precision precision = Precision::bf16;
  double bytes_per_parameter = 0;
  Timing timing = Timing::calibrated;
  Objective objective = Objective::time;
  std::optional<std::string> calibration{};     ///< of the calibrated model: its name
  std::optional<Software> software{};           ///< of the calibrated model
  std::optional<RangeOfRuns> measured_range{};  ///< the runs that an interval rests on
  std::optional<Evidence> evidence{};           ///< of the calibrated model
  std::optional<double> tokens{};
  std::vector<std::string> assumed{};  ///< options that the user did not give
};

/// A plan as it is asked for, whole: the workload with what routing and storage leave of it.
struct PlanJob {
  Workload workload;
  std::int64_t hb_domain = 0;  ///< of the system, whatever part of it is used as one
  std::vector<std::string> assumed;
  std::optional<job::JobOnNetwork> network{};  ///< where it is asked for
  std::optional<job::RoutingResult> routing{};
  std::optional<SharingImpact> sharing{};
};

/// @param warnings  gets what the user should know about the inputs
/// @throws InputError and UsageError  for names that are not known and settings that contradict
/// each other; for more than one number of GPUs
PlanJob plan_job(const PlanRequest& request, const catalog::Catalog& catalog,
                 std::vector<std::string>& warnings);
/// The same job on a part of every leaf, see even_leaves(), where the network has room; and on
/// other ones of the free GPUs than the minimum cut, see ways_to_place(), where somebody says which
/// are free.
std::vector<PlanJob> placed_otherwise(const PlanRequest& request, const PlanJob& planned);
/// Says where a job has a part of every leaf.
void warn_about_leaves(const PlanJob& planned, std::vector<std::string>& warnings);
PlanInputs plan_inputs(const PlanJob& planned, Objective objective);

/// What of the software an answer says.
const json::FieldTable<Software>& software_fields();

/// What a broken rule means in the options that are given.
Diagnostic explain(const Violation& violation, const Strategy& strategy, const Workload& workload,
                   const job::StrategyChoice& asked_axes);
/// The one strategy that is asked for, but its placement. Axes that nobody gave are assumed.
Strategy asked_strategy(const PlanRequest& request, PlanJob& planned);
/// With its best placement, which may fill a part of each HB domain only: that becomes the
/// workload's. Nothing after saying what is wrong with it.
std::optional<Strategy> placed_strategy(const PlanRequest& request, Workload& workload,
                                        const Strategy& asked, Context& context);
/// Its plan on the free GPUs where it is fastest, which the job becomes one on. Nothing after
/// saying what is wrong with it.
std::optional<Plan> placed_plan(const PlanRequest& request, PlanJob& planned, const Strategy& asked,
                                Context& context);

/// What is told of a plan besides itself.
struct PlanExtras {
  struct Training {
    TrainingTotals totals;
    std::optional<Estimate<Seconds>> range{};  ///< of the time, without failures
  };
  std::optional<Training> training{};
  std::optional<job::PaidPlan> paid{};
  std::optional<ForecastSummary> forecast{};
  std::optional<job::Outlook> outlook{};  ///< of a run
  std::optional<TrafficSummary> traffic{};
  /// Of an iteration, see exposed_network_time().
  struct ExposedNetwork {
    Seconds time{};
    double share = 0;
  };
  ExposedNetwork exposed_network{};
  std::vector<NearestRow> nearest{};  ///< measured runs most like it, where they are asked for
  std::vector<ExplainedTerm> explanation{};
};

/// How a planned job stands in its system's HB domains.
job::GpuUse domain_use(const PlanJob& planned);
/// GPUs that are paid for, see occupied_gpus().
std::int64_t paid_gpus(const PlanJob& planned, const catalog::Catalog& catalog);

/// The price of --gpu-hour-price, or else the rent of the system's GPU in --economics; nothing
/// where neither is asked for.
/// @throws UsageError where the economics have no rent of that GPU
std::optional<job::GpuPrice> gpu_price(const PlanRequest& request, const System& system,
                                       const catalog::Catalog& catalog);
/// What a plan sends, on the network that is asked for.
/// Warns of free GPUs that make no whole node.
/// @throws UsageError for free GPUs that do not hold the job
TrafficSummary plan_traffic(const PlanRequest& request, const PlanJob& planned, const Plan& plan,
                            Context& context);
PlanExtras plan_extras(const PlanRequest& request, const PlanJob& planned, const Plan& plan,
                       Context& context);

/// A plan as settings of a training stack.
struct HandedOver {
  handover::TrainingStack stack{};
  std::string file;                  ///< what the text is: "ds_config.json"
  std::string text;                  ///< the settings alone
  std::vector<std::string> remarks;  ///< what they do not say, and why
};
std::optional<HandedOver> handed_over(const PlanRequest& request, const PlanJob& planned,
                                      const Plan& plan);

/// "tp 8, pp 16, dp 256, cp 2".
std::string degrees_in_words(const Strategy& strategy);
/// Memory as it is needed and had: "84.94 GB", "20114 GB".
std::string memory_words(Bytes memory);

// Fields and blocks of these.
const json::FieldTable<Plan>& plan_fields();
const json::FieldTable<PlanInputs>& plan_inputs_fields();
const json::FieldTable<HandedOver>& handed_over_fields();
/// "training", "cost", "expected", "explanation".
const json::FieldTable<PlanExtras>& plan_extras_fields();

/// The page of a plan as settings of a training stack, in the place of all else.
present::Document handed_over_view(const HandedOver& handed, const PlanInputs& inputs,
                                   const Plan& plan);
/// A document with what the plan is for.
present::Document plan_document(const PlanInputs& inputs, const char* kicker);
void add_headline(const std::string& label, const Plan& plan, present::Document& document);
/// Tokens, dollars, expectation.
void add_extras(const PlanExtras& extras, const PlanInputs& inputs, present::Document& document);
/// Where time and memory go.
void add_breakdown(const Plan& plan, const PlanExtras& extras, const PlanInputs& inputs,
                   present::Document& document);
/// "none", "full", "layernorm, mlp": what is run again; and in few letters, for a column.
std::string recomputation(const Strategy& strategy);
std::string short_recomputation(const Strategy& strategy);
/// The probability that a plan of the calibrated model fits the memory.
present::Cell fit_chance(const Plan& plan);
/// Strategies with all their settings, for programs; axes that none uses are left out.
present::Table strategy_table(const std::vector<Plan>& plans);
/// @param front  of time against memory; empty: it was not asked for
void add_plan_charts(const std::vector<Plan>& plans, const std::vector<Plan>& front,
                     const PlanExtras& extras, present::Document& document);
/// What a sweep shows of a plan.
std::vector<SweepFigure> plan_figures(const Plan& plan, const PlanExtras& extras);

}  // namespace planner::commands
