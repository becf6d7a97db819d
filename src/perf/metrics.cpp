#include "planner/perf/metrics.hpp"

#include <cmath>

#include "planner/core/real.hpp"
namespace planner {

namespace {

Flops sum(const ClosedForm::IterationFlops& flops) {
  return flops.feed_forward + flops.attention;
}

}  // namespace

Flops model_flops(const ClosedForm& model) {
  return sum(model.iteration_flops(Recompute::none));
}

Plan make_plan(const Workload& workload, const ClosedForm& model, const Strategy& strategy) {
  const Prediction estimate = model.evaluate(strategy);
  const Seconds iteration = estimate.time.total();
  const FlopsPerSecond cluster_peak = real(workload.gpus) * model.peak();
  const Flops needed = model_flops(model);
  const Flops executed = sum(model.iteration_flops(strategy.recompute));
  const double tokens = real(workload.run.global_batch) * real(workload.run.sequence);
  return {
      .strategy = strategy,
      .microbatches = workload.run.global_batch / (strategy.dp.total() * strategy.micro_batch),
      .time = estimate.time,
      .memory = estimate.memory,
      .capacity = workload.system.accelerator.memory,
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

}  // namespace planner
