#pragma once

#include "planner/commands/plans/plans.hpp"

namespace planner::commands {

struct TrafficResult {
  Plan plan;
  TrafficSummary traffic;
};

/// Without a result where the strategy is not legal.
struct TrafficAnswer {
  PlanInputs inputs;
  std::optional<TrafficResult> result{};
};

TrafficAnswer count_traffic(PlanRequest request, Context& context);
const json::FieldTable<TrafficAnswer>& traffic_fields();
present::Document traffic_view(const TrafficAnswer& answer);

/// `planner traffic`: what one strategy sends, and what links carry.
Command traffic();

}  // namespace planner::commands
