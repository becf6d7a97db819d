#include "planner/api/forecast.hpp"

#include "planner/api/commands.hpp"
#include "planner/api/job_reliability.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner {

namespace {

/// Causes of waste, by their names in answers.
std::vector<LostTime> lost_to(const Waste& waste, Seconds whole) {
  return {{"checkpoint", waste.checkpoint * whole}, {"lost", waste.lost * whole},
          {"detect", waste.detect * whole},         {"diagnose", waste.diagnose * whole},
          {"restart", waste.restart * whole},       {"spare_wait", waste.spare_wait * whole},
          {"degraded", waste.degraded * whole}};
}

/// GPUs to a node as the plan's own system has them, where nobody gave them.
ReliabilitySettings in_nodes(ReliabilitySettings asked, const System& system,
                             const io::Catalog& catalog) {
  if (asked.gpus_per_node || !system.node) return asked;
  asked.gpus_per_node = catalog.load_node(*system.node).accelerators;
  return asked;
}

}  // namespace

Seconds balanced_iteration(const Workload& workload, const RoutingResult& routing,
                           const Plan& plan) {
  Workload balanced = workload;
  balanced.routing = routing.balanced;
  return evaluate(balanced, plan.strategy).time.total();
}

ExpectedRun expected_run(Seconds ideal, Seconds routed,
                         const std::optional<ReliabilityResult>& reliability) {
  ExpectedRun run{.ideal = ideal, .routed = routed, .mean = routed, .p50 = routed, .p95 = routed};
  run.lost.push_back({"routing", routed - ideal});
  if (!reliability) return run;
  run.mean = reliability->days->mean;
  run.p50 = reliability->days->p50;
  run.p95 = reliability->days->p95;
  for (const LostTime& lost : lost_to(reliability->goodput.waste, run.mean)) {
    run.lost.push_back(lost);
  }
  return run;
}

ExpectedCost expected_cost(const ExpectedRun& run, const Estimate<UsdPerSecond>& rate,
                           double spare_share) {
  const auto of = [&](Seconds time, double paid) {
    return each([&](UsdPerSecond all) { return paid * all * time; }, rate);
  };
  return {.ideal = of(run.ideal, 1),
          .mean = of(run.mean, 1 + spare_share),
          .p95 = of(run.p95, 1 + spare_share)};
}

double spare_share(const std::optional<ReliabilityResult>& reliability) {
  if (!reliability || !reliability->job.spares) return 0;
  return real(reliability->job.spares->spares) / real(reliability->job.counts.nodes);
}

std::optional<Forecast> plan_forecast(const Request& request, const ResolvedInputs& inputs,
                                      const Plan& plan, const std::optional<PaidPlan>& paid,
                                      const io::Catalog& catalog,
                                      std::vector<std::string>& warnings) {
  const ReliabilityRequest& asked = request.reliability;
  if (!asked.rates && asked.how != ReliabilitySettings{}) {
    usage_error("the options of failures, checkpoints and spares need --rates",
                "planner list rates");
  }
  if (!inputs.routing && !asked.rates) return std::nullopt;
  const Workload& workload = inputs.workload;
  Forecast forecast{.routing = inputs.routing};
  forecast.iteration = plan.time.total();
  forecast.ideal_iteration =
      inputs.routing ? balanced_iteration(workload, *inputs.routing, plan) : forecast.iteration;
  std::optional<double> iterations;
  if (workload.run.tokens) {
    iterations = training_totals(workload, plan, *workload.run.tokens).iterations;
  }
  if (asked.rates) {
    std::optional<Seconds> routed;
    if (iterations) routed = *iterations * *forecast.iteration;
    forecast.reliability =
        job_reliability(in_nodes(asked.how, workload.system, catalog),
                        catalog.load_rates(*asked.rates), workload.gpus, routed, warnings);
  }
  if (!iterations) return forecast;
  forecast.run = expected_run(*iterations * *forecast.ideal_iteration,
                              *iterations * *forecast.iteration, forecast.reliability);
  if (paid) {
    const Estimate<UsdPerSecond> rate =
        each([&](UsdPerSecond one) { return real(workload.gpus) * one; }, paid->price.rate);
    forecast.cost = expected_cost(*forecast.run, rate, spare_share(forecast.reliability));
  }
  return forecast;
}

}  // namespace planner
