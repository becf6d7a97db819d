#pragma once

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

namespace planner::inline perf {

/// FLOPs that one iteration of training needs, recomputation not counted, attention over the full
/// square (not the causal half), as Megatron and PaLM count.
Flops model_flops(const Workload& workload);

/// A legal strategy's time and memory by the workload's timing model, with the utilisations and
/// rates that follow. Peaks are the datasheet's, dense, at the run's precision.
Plan make_plan(const Workload& workload, const Strategy& strategy);

/// Training the whole run: iterations needed for `tokens`, the last one counted whole.
struct TrainingTotals {
  double iterations = 0;
  Seconds time{};
  double gpu_hours = 0;

  bool operator==(const TrainingTotals&) const = default;
};

TrainingTotals training_totals(const Workload& workload, const Plan& plan, double tokens);

}  // namespace planner::perf
