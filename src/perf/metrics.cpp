#include "planner/perf/metrics.hpp"

#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/model/flops.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner::inline perf {

Flops model_flops(const Workload& workload) {
  return iteration_flops(workload.model, workload.run, {}).total();
}

namespace {

std::optional<BalancedNetwork> on_balanced_network(Workload workload, const Strategy& strategy) {
  if (!workload.routing) return std::nullopt;
  workload.routing = uniform_factors(1);
  return BalancedNetwork{.iteration = evaluate(workload, strategy).time.total(),
                         .communication = communication_times(workload, strategy)};
}

}  // namespace

Plan make_plan(const Workload& workload, const Strategy& strategy) {
  const Prediction estimate = evaluate(workload, strategy);
  const Seconds iteration = estimate.time.total();
  const FlopsPerSecond peak =
      workload.system.accelerator.datasheet.at(workload.run.precision).value_or(FlopsPerSecond{});
  const FlopsPerSecond cluster_peak = real(workload.gpus) * peak;
  const Flops needed = model_flops(workload);
  const Flops executed =
      iteration_flops(workload.model, workload.run, repeated(workload, strategy)).total();
  const double tokens = real(workload.run.global_batch) * real(workload.run.sequence);
  return {
      .strategy = strategy,
      .microbatches = workload.run.global_batch / (strategy.dp.total() * strategy.micro_batch),
      .time = estimate.time,
      .interval = time_interval(workload, iteration),
      .evidence = evidence_of(workload),
      .communication = communication_times(workload, strategy),
      .balanced = on_balanced_network(workload, strategy),
      .memory = estimate.memory,
      .capacity = memory_limit(workload),
      .sync_by = estimate.sync_by,
      .timing = workload.timing.kind(),
      .mfu = needed / (cluster_peak * iteration),
      .hfu = executed / (cluster_peak * iteration),
      .model_flops_per_gpu = needed / (real(workload.gpus) * iteration),
      .tokens_per_second = tokens / iteration.si(),
      .tokens_per_second_per_gpu = tokens / iteration.si() / real(workload.gpus),
  };
}

TrainingTotals training_totals(const Workload& workload, const Plan& plan, double tokens) {
  const double per_iteration = real(workload.run.global_batch) * real(workload.run.sequence);
  const double iterations = std::ceil(tokens / per_iteration);
  const Seconds time = iterations * plan.time.total();
  return {.iterations = iterations,
          .time = time,
          .gpu_hours = real(workload.gpus) * time.in(units::hour)};
}

}  // namespace planner::perf
