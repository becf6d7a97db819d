#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/job/reliability.hpp"
#include "planner/json/field_table.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// What failures make of a job, as answers tell it.
struct FailureInputs {
  FailureRates rates;
  ComponentCounts counts;
  AccessLinks tor = AccessLinks::single_tor;
  Seconds stall{}, durable{}, restart{};
  /// Of the stall, where nobody knows it: what ranges count, expected figures having none.
  std::optional<Estimate<Seconds>> stall_range{};
  RecoveryMode recovery = RecoveryMode::merge;
  DownHazard hazard = DownHazard::running;
  std::optional<LinkLoss> link_loss{};  ///< with two access switches
  double running_share = 1;             ///< of the job that the rates are of
  std::optional<SparePolicy> spares{};
  std::vector<std::string> assumed{};
};
struct FailureSummary {
  struct Component {
    std::string name;
    FailureAction action = FailureAction::crash;
    std::optional<double> hours_between{};  ///< in which the job runs; nothing: never fails
    double per_month = 0;                   ///< in 30 days of the calendar
    std::optional<double> crashes{};        ///< share of all
  };
  struct Days {
    Seconds ideal{}, mean{}, p50{}, p95{};
    std::vector<std::pair<double, double>> distribution{};  ///< days, and the chance to be done
  };
  struct Gain {
    std::string component;
    double a_tenth = 0;  ///< availability by a tenth fewer
  };
  std::optional<double> hours_between{}, wall_hours_between{};  ///< crashes; nothing: none
  std::vector<Component> components{};
  std::optional<Seconds> interval{};  ///< between checkpoints
  std::optional<job::AdvisedIntervals> advised{};
  Seconds recovery{};
  double availability = 1;
  Estimate<double> availability_range{1, 1, 1};
  struct ByHazard {
    double running = 1, all = 1;
  };
  std::optional<ByHazard> by_hazard{};  ///< availability by the hours in which what waits fails
  Waste waste{};
  double per_month = 0;              ///< crashes in 30 days
  std::optional<double> expected{};  ///< crashes of the run
  std::optional<Days> days{};
  std::optional<Estimate<Seconds>> days_range{};
  std::optional<double> spares_ok{};
  std::optional<std::int64_t> spares_for_99{};
  std::vector<Improvement> improve{};
  std::vector<Gain> fewer{};
  std::vector<job::IntervalPoint> by_interval{};
  std::optional<job::FailureMoney> money{};
};

FailureInputs inputs_of(const job::ReliabilityResult& result);
FailureSummary summary_of(const job::ReliabilityResult& result);
const json::FieldTable<FailureInputs>& failure_inputs_fields();
const json::FieldTable<FailureSummary>& failure_summary_fields();

/// A share with digits however small it is: a run of years is no run without end.
present::Cell shown_share(double value);

/// The whole of `planner reliability`, but for its charts.
present::Document failure_document(const FailureInputs& inputs, const FailureSummary& failures);
/// "What to improve next"; nothing where nothing takes time.
void add_improvements(const FailureSummary& failures, present::Document& document);

}  // namespace planner::commands
