#pragma once

#include "planner/commands/plans/plans.hpp"
#include "planner/perf/model/constraints.hpp"

namespace planner::commands {

struct EstimateResult {
  Plan plan;
  PlanExtras extras{};
};

/// Without a result where the strategy is not legal.
struct EstimateAnswer {
  PlanInputs inputs;
  std::optional<EstimateResult> result{};
  std::optional<HandedOver> emitted{};
};

EstimateAnswer estimate_plan(const PlanRequest& request, Context& context);
const json::Table<EstimateAnswer>& estimate_fields();
present::Document estimate_view(const EstimateAnswer& answer);

/// What a broken rule means in the options that are given.
Diagnostic explain(const Violation& violation, const Strategy& strategy, const Workload& workload,
                   const job::StrategyChoice& asked_axes);
/// No placement of the ranks fills an HB domain as it is asked for.
Diagnostic no_placement(const job::StrategyChoice& asked_axes, const Workload& workload,
                        const Strategy& asked);

/// `planner estimate`: time and memory of one strategy.
Command estimate();

}  // namespace planner::commands
