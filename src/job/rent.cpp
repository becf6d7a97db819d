#include "planner/job/rent.hpp"

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/perf/metrics.hpp"

namespace planner::job {

PaidPlan paid_plan(const Workload& workload, const Plan& plan, GpuPrice price, std::int64_t gpus,
                   const std::optional<Node>& node) {
  const Seconds iteration = plan.time.total();
  std::optional<double> iterations;
  PaidPlan paid{.price = std::move(price), .gpus = gpus};
  Estimate<UsdPerSecond> rate = paid.price.rate;
  if (workload.run.tokens) {
    const TrainingTotals run = training_totals(workload, plan, *workload.run.tokens);
    iterations = run.iterations;
    if (paid.price.term) {
      const double years = run.time.in(units::year);
      paid.years_paid = years_paid(*paid.price.term, years);
      rate = each([&](UsdPerSecond hour) { return *paid.years_paid / years * hour; }, rate);
    }
  }
  paid.cost = rent_cost(gpus, rate, iteration,
                        real(workload.run.global_batch) * real(workload.run.sequence), iterations);
  if (node && node->power && node->accelerators >= 1) {
    paid.node_energy = real(ceil_div(gpus, node->accelerators)) * *node->power * iteration;
  }
  return paid;
}

}  // namespace planner::job
