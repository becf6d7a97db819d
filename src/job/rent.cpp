#include "planner/job/rent.hpp"

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/metrics.hpp"

namespace planner::job {

PaidPlan paid_plan(const Workload& workload, const Plan& plan, GpuPrice price,
                   const std::optional<Node>& node) {
  const Seconds iteration = plan.time.total();
  std::optional<double> iterations;
  if (workload.run.tokens) {
    iterations = training_totals(workload, plan, *workload.run.tokens).iterations;
  }
  PaidPlan paid{.price = std::move(price)};
  paid.cost = rent_cost(workload.gpus, paid.price.rate, iteration,
                        real(workload.run.global_batch) * real(workload.run.sequence), iterations);
  if (node && node->power && node->accelerators >= 1) {
    paid.node_energy = real(ceil_div(workload.gpus, node->accelerators)) * *node->power * iteration;
  }
  return paid;
}

}  // namespace planner::job
