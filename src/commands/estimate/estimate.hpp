#pragma once

#include "planner/commands/plans/plans.hpp"

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
const json::FieldTable<EstimateAnswer>& estimate_fields();
present::Document estimate_view(const EstimateAnswer& answer);

/// `planner estimate`: time and memory of one strategy.
Command estimate();

}  // namespace planner::commands
