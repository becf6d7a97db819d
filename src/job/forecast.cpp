#include "planner/job/forecast.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner::job {

IterationTimes iteration_times(const Workload& workload, const Plan& plan,
                               const std::optional<RoutingResult>& routing,
                               const std::optional<SharingImpact>& sharing) {
  const Seconds expected = plan.time.total();
  IterationTimes times{expected, expected, expected, expected};
  const auto timed = [&](const Workload& other) {
    return evaluate(other, plan.strategy).time.total();
  };
  Workload changed = workload;
  if (sharing && sharing->most_traffic) {
    changed.storage_traffic = *sharing->most_traffic;
    times.guaranteed = timed(changed);
  }
  if (routing) {
    changed.storage_traffic = workload.storage_traffic;
    changed.routing = routing->unlucky;
    times.unlucky = std::max(expected, timed(changed));
  }
  changed.storage_traffic = {};
  if (sharing) {
    changed.routing = workload.routing;
    times.routed = times.ideal = timed(changed);
  }
  if (routing) {
    changed.routing = routing->balanced;
    times.ideal = timed(changed);
  }
  return times;
}

double speed_with_port_down(const Workload& workload, const Plan& plan,
                            const std::optional<RoutingResult>& routing) {
  // Where something is down all the time both times are those of a whole network: the plan's own
  // may be as long already.
  Seconds whole = plan.time.total();
  Workload down = workload;
  if (routing && routing->whole) {
    down.routing = routing->whole;
    whole = evaluate(down, plan.strategy).time.total();
  }
  if (routing && routing->card_down) {
    down.routing = routing->card_down;
  } else {
    constexpr double kPorts = 2;
    down.system.network_bandwidth = workload.system.network_bandwidth / (kPorts / (kPorts - 1));
  }
  return std::min(1.0, whole / evaluate(down, plan.strategy).time.total());
}

double longer_by_paths(const IterationTimes& iteration, double failures, double length) {
  return (iteration.unlucky / iteration.expected - 1) * length / std::sqrt(1 + failures);
}

ExpectedRun expected_run(const IterationTimes& iteration, double iterations,
                         const std::optional<ReliabilityResult>& reliability) {
  const Seconds routed = iterations * iteration.expected;
  ExpectedRun run{.ideal = iterations * iteration.ideal,
                  .routed = routed,
                  .mean = routed,
                  .p50 = routed,
                  .p95 = routed,
                  .failures_vary = reliability.has_value(),
                  .paths_vary = iteration.unlucky > iteration.expected};
  double failures = 0;
  if (reliability) {
    run.mean = reliability->days->mean;
    run.p50 = reliability->days->p50;
    run.p95 = reliability->days->p95;
    failures = reliability->days->failures;
  }
  if (run.paths_vary) {
    const double by_paths = longer_by_paths(iteration, failures, run.mean.si());
    // Of losses that fewer than 5 of 100 runs meet the mean has its share, and p95 none.
    const double luck = (run.p95 - run.mean).si();
    run.p95 = run.mean + Seconds{luck < 0 ? luck + by_paths : std::hypot(luck, by_paths)};
  }
  if (iteration.guaranteed) run.guaranteed = *iteration.guaranteed / iteration.expected * run.mean;
  run.lost.push_back({LostCause::routing, iterations * (iteration.routed - iteration.ideal)});
  if (iteration.expected > iteration.routed) {
    run.lost.push_back({LostCause::storage, iterations * (iteration.expected - iteration.routed)});
  }
  if (!reliability) return run;
  for (const WasteCause& cause : kWasteCauses) {
    run.lost.push_back({cause.cause, reliability->goodput.waste.*cause.share * run.mean});
  }
  return run;
}

ExpectedCost expected_cost(const ExpectedRun& run, const Estimate<UsdPerSecond>& rate) {
  const auto of = [&](Seconds time) {
    return each([&](UsdPerSecond all) { return all * time; }, rate);
  };
  ExpectedCost cost{.ideal = of(run.ideal), .mean = of(run.mean), .p95 = of(run.p95)};
  if (run.guaranteed) cost.guaranteed = of(*run.guaranteed);
  return cost;
}

namespace {

/// A checkpoint can be loaded when storage has it, where nobody says when that is.
void as_storage_writes(const SharingImpact& storage, const FailureRates& rates,
                       ReliabilitySettings& recovery) {
  const bool said = recovery.durable || recovery.checkpoint_rate || rates.checkpoint_durable;
  if (said || storage.writing_share <= 0 || !std::isfinite(storage.write_time.si())) return;
  const Seconds stall = recovery.stall.value_or(rates.checkpoint_stall.value_or(Seconds{}));
  recovery.durable = std::max(Seconds{}, storage.write_time - stall);
}

}  // namespace

std::optional<Forecast> forecast_of(ForecastInputs inputs, std::vector<std::string>& warnings) {
  if (!inputs.routing && !inputs.sharing && !inputs.rates) return std::nullopt;
  Forecast forecast{.routing = std::move(inputs.routing), .sharing = inputs.sharing};
  if (inputs.plan != nullptr) {
    forecast.iteration =
        iteration_times(*inputs.workload, *inputs.plan, forecast.routing, forecast.sharing);
    forecast.links = link_load(*inputs.workload);
  }
  if (inputs.rates) {
    if (inputs.sharing) as_storage_writes(*inputs.sharing, *inputs.rates, inputs.recovery);
    // A speed that is given stands; else it is that of the plan.
    if (inputs.plan != nullptr && inputs.recovery.access == AccessLinks::dual_tor &&
        !inputs.recovery.degraded_speed) {
      inputs.recovery.degraded_speed =
          speed_with_port_down(*inputs.workload, *inputs.plan, forecast.routing);
    }
    if (forecast.routing) inputs.recovery.broken = forecast.routing->broken;
    std::optional<Seconds> without_failures;
    if (inputs.iterations) without_failures = *inputs.iterations * forecast.iteration->expected;
    forecast.reliability = job_reliability(inputs.recovery, *std::move(inputs.rates), inputs.gpus,
                                           without_failures, warnings);
  }
  if (forecast.reliability) {
    forecast.spares_beside =
        std::max<std::int64_t>(0, spare_gpus(*forecast.reliability) - inputs.standing_by);
  }
  if (!inputs.iterations) return forecast;
  forecast.run = expected_run(*forecast.iteration, *inputs.iterations, forecast.reliability);
  if (forecast.run->paths_vary) {
    forecast.routing->assumptions.emplace_back(
        "p95 of a run: paths are hashed anew with each restart, all collectives unlucky together");
  }
  if (inputs.price) {
    const double paid = real(inputs.paid_gpus.value_or(inputs.gpus));
    const double with_spares = 1 + real(forecast.spares_beside) / paid;
    forecast.cost = expected_cost(
        *forecast.run,
        each([with_spares](UsdPerSecond rate) { return with_spares * rate; }, *inputs.price));
  }
  return forecast;
}

}  // namespace planner::job
