#include "planner/design/failures.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/core/usage.hpp"
#include "planner/cost/estimate_math.hpp"
#include "planner/design/goals.hpp"
#include "planner/job/cluster.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/metrics.hpp"

namespace planner::design {

namespace {

job::GpuSupply supply_of(const Space& space, const DesignId& id) {
  const SystemOption& option = space.systems[id.system];
  return {.bought = id.gpus,
          .hb_domain = option.system().hb_domain,
          .gpus_per_tray = option.node.gpus_per_tray};
}

/// GPUs that are swapped at once, as they are bought.
std::int64_t swap_unit(const Space& space, const DesignId& id) {
  const ReliabilitySettings& asked = space.failures->recovery;
  const SystemOption& option = space.systems[id.system];
  if (asked.swap_unit) return *asked.swap_unit;
  if (job::swaps_trays(asked)) return option.node.gpus_per_tray.value_or(option.node.accelerators);
  return bought_together(option);
}

}  // namespace

Lateness lateness(const Workload& job, double confidence) {
  static const double kEnd = deviations(kUpperEnd);
  const auto interval = time_interval(job, units::second);
  if (!interval) return {};
  const auto spread = [](double ln) { return std::max(0.0, ln) / kEnd; };
  const double middle = interval->middle.si();
  return {.factor = middle * excess(1, interval->high.si() / middle, confidence),
          .middle = middle,
          .model = {.below = spread(std::log(middle / interval->low.si())),
                    .above = spread(std::log(interval->high.si() / middle))}};
}

std::optional<std::int64_t> spares_of(const Space& space, const DesignId& id,
                                      const job::GpuUse& use) {
  const std::int64_t unit = swap_unit(space, id);
  const std::int64_t idle = job::idle_in_domains(supply_of(space, id), use) / unit;
  const std::int64_t most = std::min(idle, std::max<std::int64_t>(1, use.gpus / unit));
  const std::vector<std::int64_t>& choice = space.failures->spares;
  if (choice.empty()) return most;
  std::optional<std::int64_t> largest;
  for (const std::int64_t spares : choice) {
    if (spares <= most && (!largest || spares > *largest)) largest = spares;
  }
  return largest;
}

std::optional<ReliabilitySettings> recovery_of(const Space& space, const DesignId& id,
                                               const Bought& cluster, const job::GpuUse& use) {
  ReliabilitySettings recovery = *cluster.parts;
  recovery.spares = spares_of(space, id, use);
  if (!recovery.spares) return std::nullopt;
  return job::parts_in_use(std::move(recovery), supply_of(space, id), use);
}

void check_recovery(const Space& space, std::uint32_t system) {
  const SystemOption& option = space.systems[system];
  DesignId id{.system = system, .gpus = gpu_counts(option, space.gpus).front()};
  for (; id.network < option.networks.size(); ++id.network) {
    Buildable of = buildable(space, id);
    const std::optional<MadeOf> made = made_of(space, id, of);
    if (!made) continue;
    ReliabilitySettings recovery = *without_money(space, id, *made).parts;
    recovery.spares = 0;
    const std::int64_t domain = std::min(id.gpus, option.system().hb_domain);
    const job::GpuUse all{.gpus = id.gpus,
                          .as_one = domain,
                          .per_domain = domain,
                          .domains = ceil_div(id.gpus, domain)};
    recovery = job::parts_in_use(std::move(recovery), supply_of(space, id), all);
    std::vector<std::string> warnings;
    if (job::job_outlook(recovery, space.failures->rates, id.gpus, warnings).unknown_stall) {
      usage_error("what a run takes in so many of 10 cases needs the time that a checkpoint takes",
                  "give --stall SECONDS, usually 1 to 100");
    }
    return;
  }
}

std::int64_t gpus_standing_by(const Space& space, const DesignId& id, const Bought& cluster,
                              const job::GpuUse& use) {
  if (!space.failures) return job::idle_in_domains(supply_of(space, id), use);
  const auto recovery = recovery_of(space, id, cluster, use);
  if (!recovery) return 0;
  std::vector<std::string> warnings;
  const job::JobOutlook outlook =
      job::job_outlook(*recovery, space.failures->rates, use.gpus, warnings);
  return outlook.job.spares ? outlook.job.spares->gpus_beside(use.gpus) : 0;
}

Workload job_of(const Space& space, const DesignId& id, const Bought& cluster,
                const BestTime& best) {
  Workload job = job_of(space, id.system, best.batch, best.use.gpus);
  if (space.routing) {
    job = with_routing(std::move(job), routed_on(space, id));
  } else {
    job.network_tiers = cluster.network.tiers;
    job.rails_apart = cluster.network.rails_apart;
  }
  job = at_ports(std::move(job), cluster.network.ports);
  return job::on_used(job, supply_of(space, id), best.use);
}

namespace {

std::optional<job::JobOutlook> outlook_of(const Space& space, const DesignId& id,
                                          const Bought& cluster, const BestTime& best) {
  auto recovery = recovery_of(space, id, cluster, best.use);
  if (!recovery) return std::nullopt;
  if (recovery->access == AccessLinks::dual_tor) {
    std::optional<job::RoutingResult> routing;
    if (space.routing) {
      job::RoutedNetwork on = routed_on(space, id);
      recovery->broken = on.broken;
      routing =
          job::RoutingResult{.whole = std::move(on.whole), .card_down = std::move(on.card_down)};
    }
    if (!recovery->degraded_speed) {
      const Workload job = job_of(space, id, cluster, best);
      recovery->degraded_speed =
          job::speed_with_port_down(job, make_plan(job, best.strategy), routing);
    }
  }
  std::vector<std::string> warnings;
  job::JobOutlook outlook =
      job::job_outlook(*recovery, space.failures->rates, best.use.gpus, warnings);
  return outlook.advances() ? std::optional(std::move(outlook)) : std::nullopt;
}

OutcomeLaw law_of(const job::JobOutlook& outlook, Seconds ideal, const Lateness& late) {
  return run_law(outlook.job, outlook.exposed, late.middle * ideal, outlook.unknown)
      .times(late.model);
}

RunTimes run_times(const job::JobOutlook& outlook, Seconds ideal, const Lateness& late,
                   double share) {
  const Seconds mean = outlook.days_of(ideal).mean;
  return {mean, std::max({mean, late.factor * ideal, confident_time(outlook, ideal, late, share)})};
}

}  // namespace

Seconds confident_time(const job::JobOutlook& outlook, Seconds ideal, const Lateness& late,
                       double share) {
  return Seconds{law_of(outlook, ideal, late).quantile(share)};
}

std::optional<RunTimes> run_times(const Space& space, const DesignId& id, const Bought& cluster,
                                  const BestTime& best, const Lateness& late, double share) {
  const Seconds ideal = iterations(space, best.batch) * best.time;
  if (!space.failures) return RunTimes{ideal, late.factor * ideal};
  const auto outlook = outlook_of(space, id, cluster, best);
  return outlook ? std::optional(run_times(*outlook, ideal, late, share)) : std::nullopt;
}

std::optional<RunTimes> KnownRuns::of(const DesignId& id, const Bought& cluster,
                                      const BestTime& best, const Lateness& late, Seconds most) {
  const Seconds ideal = iterations(space_, best.batch) * best.time;
  if (!space_.failures) return RunTimes{ideal, late.factor * ideal};
  auto& all = known_[id.system];
  auto entry = all.find({id, best.batch, best.use.gpus});
  const bool is_new = entry == all.end();
  if (!is_new && (!entry->second.mean || entry->second.all)) return entry->second.all;
  // Nothing is kept where something is wrong with the input.
  std::optional<job::JobOutlook> outlook;
  if (is_new || *entry->second.mean <= most) outlook = outlook_of(space_, id, cluster, best);
  if (is_new) entry = all.try_emplace({id, best.batch, best.use.gpus}).first;
  Known& known = entry->second;
  if (is_new && !outlook) return std::nullopt;
  if (outlook) {
    known.mean = outlook->days_of(ideal).mean;
    if (*known.mean <= most) known.all = run_times(*outlook, ideal, late, share_);
  }
  return known.all ? *known.all : RunTimes{*known.mean, std::max(*known.mean, late.factor * ideal)};
}

Estimate<Seconds> run_range(const Space& space, const DesignId& id, const Bought& cluster,
                            const BestTime& best) {
  const Workload job = job_of(space, id, cluster, best);
  const double runs = iterations(space, best.batch);
  const Seconds ideal = runs * best.time;
  if (const auto outlook = space.failures ? outlook_of(space, id, cluster, best) : std::nullopt) {
    const Seconds mean = outlook->days_of(ideal).mean;
    const OutcomeLaw law = law_of(*outlook, ideal, lateness(job, kExpectedCase));
    return {std::min(mean, Seconds{law.quantile(1 - kUpperEnd)}), mean,
            std::max(mean, Seconds{law.quantile(kUpperEnd)})};
  }
  const auto interval = time_interval(job, best.time);
  return interval ? Estimate<Seconds>{runs * interval->low, ideal, runs * interval->high}
                  : Estimate<Seconds>::exactly(ideal);
}

std::optional<job::Forecast> forecast_of(const Space& space, const DesignId& id,
                                         const Bought& cluster, const BestTime& best,
                                         std::vector<std::string>& warnings) {
  const Workload job = job_of(space, id, cluster, best);
  const Plan plan = make_plan(job, best.strategy);
  const auto& failures = space.failures;
  const auto recovery = failures ? recovery_of(space, id, cluster, best.use) : std::nullopt;
  return job::forecast_of(
      {.routing = routing_of(space, id),
       .rates = failures ? std::optional(failures->rates) : std::nullopt,
       .recovery = recovery.value_or(ReliabilitySettings{}),
       .gpus = best.use.gpus,
       .workload = &job,
       .plan = &plan,
       .iterations = iterations(space, best.batch),
       .price = each([&](Usd hour) { return real(cluster.gpus) * hour / units::hour; },
                     cluster.per_gpu_hour),
       .paid_gpus = cluster.gpus,
       .standing_by = recovery ? job::standing_by(*recovery, supply_of(space, id), best.use) : 0},
      warnings);
}

}  // namespace planner::design
