#include "planner/reliability/exposure.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/reliability/degraded.hpp"
#include "planner/reliability/rate_basis.hpp"

namespace planner::inline reliability {

namespace {

bool on_access_links(const FailureRate& rate) {
  return rate.unit == FailureUnit::link || rate.unit == FailureUnit::network_switch;
}

/// Of the job, of the parts that a rate is for.
double units_of(const JobReliability& job, FailureUnit unit) {
  const auto& node_gpus = job.rates.gpus_per_node;
  if (unit != FailureUnit::node || !node_gpus) return job.counts.of(unit);
  return real(ceil_div(job.counts.gpus, *node_gpus));
}

bool of_group(const Exposure& exposure) {
  return exposure.of_switch || exposure.of_feed;
}

bool takes_spares(const Exposure& exposure) {
  return of_group(exposure) || exposure.needs_spare;
}

/// From the fault until the job trains again.
Seconds restart_of(const JobReliability& job, const Exposure& exposure) {
  const bool optical = job.optical && takes_spares(exposure);
  return optical ? job.restart + job.optical->reconfigure : job.restart;
}

/// A switch takes its hosts with it: swapping them all pays for none.
void add_pairs(const JobReliability& job, const FailureRate& rate, double pairs, Exposure single,
               std::vector<Exposure>& exposed) {
  const PerSecond of_one = single.rate / std::max(pairs, 1.0);
  Exposure both = single;
  both.component += " (both of a pair)";
  both.rate = pair_losses(pairs, of_one, single.repair);
  single.rate = 2 * single.rate;
  if (job.link_loss == LinkLoss::swap && rate.unit == FailureUnit::link) {
    single.action = FailureAction::stall;
    single.pause = job.checkpoint.stall + job.restart;
  } else {
    single.action = FailureAction::degrade;
    single.needs_spare = single.of_switch = false;
  }
  exposed.push_back(std::move(single));
  exposed.push_back(std::move(both));
}

/// Share of the losses that take spares that are crashes too.
double crashes_of_losses(const std::vector<Exposure>& exposed) {
  PerSecond crashing{}, losses{};
  for (const Exposure& exposure : exposed) {
    if (!takes_spares(exposure)) continue;
    losses += exposure.rate;
    if (exposure.action == FailureAction::crash) crashing += exposure.rate;
  }
  return losses > PerSecond{} ? crashing / losses : 1;
}

/// Losses of switches and feeds. Where both take hosts away, as groups of one kind with their mean
/// size and repair: an approximation, exact where only one of them fails.
GroupLosses groups_of(const JobReliability& job, const std::vector<Exposure>& exposed,
                      std::int64_t units) {
  GroupLosses groups;
  double repairs = 0, hosts = 0;
  const auto add = [&](bool Exposure::*is, std::int64_t number, std::int64_t of_one) {
    PerSecond rate{};
    for (const Exposure& exposure : exposed) {
      if (!(exposure.*is)) continue;
      rate += exposure.rate;
      repairs += exposure.rate * exposure.repair;
    }
    if (rate <= PerSecond{}) return;
    groups.groups += std::max<std::int64_t>(1, number);
    groups.rate += rate;
    hosts += rate.si() * real(of_one);
  };
  add(&Exposure::of_switch, job.counts.switches, job.spares->switch_hosts);
  add(&Exposure::of_feed, job.counts.feeds, job.spares->feed_hosts);
  if (groups.groups == 0) return groups;
  groups.units = std::clamp<std::int64_t>(std::llround(hosts / groups.rate.si()), 1,
                                          std::max<std::int64_t>(1, units));
  groups.repair = Seconds{repairs / groups.rate.si()};
  groups.rate = groups.rate / real(groups.groups);
  return groups;
}

/// What a spare is to a job that needs one for a share of its failures.
SpareOutlook spares_of(const JobReliability& job, const std::vector<Exposure>& exposed,
                       const Crashes& crashes) {
  if (!job.spares) return {};
  const SparePolicy& policy = *job.spares;
  const std::int64_t units = policy.units(job.counts.gpus);
  PerSecond singles{};
  for (const Exposure& exposure : exposed) {
    if (exposure.needs_spare && !of_group(exposure)) singles += exposure.rate;
  }
  PerSecond rate = singles / real(std::max<std::int64_t>(1, units));
  SparePolicy of_units = policy;
  if (policy.spare_trays > 0 && policy.repair) {
    const PerSecond of_tray = rate / real(policy.unit_trays - policy.spare_trays);
    const UnitOutages unit =
        unit_outages(policy.unit_trays, policy.spare_trays, of_tray, *policy.repair);
    rate = unit.rate;
    of_units.repair = unit.repair;
  }
  return spare_outlook(of_units, units, rate, groups_of(job, exposed, units), crashes, job.hazard);
}

/// Time down of a crash. A recovery that starts over takes the class of the failure that hit it,
/// which may recover faster: what was to be done is still to be done, so that a harsher mode never
/// takes less than a gentler one.
Downtime down_of(const JobReliability& job, const std::vector<Exposure>& exposed) {
  Downtime longest;
  for (const RecoveryMode mode : kRecoveryModes) {
    std::vector<CrashClass> classes;
    for (const Exposure& e : exposed) {
      if (e.action != FailureAction::crash || e.rate <= PerSecond{}) continue;
      classes.push_back(crash_class(e.rate, e.detect + e.diagnose, restart_of(job, e), mode));
    }
    const Downtime down = downtime(classes);
    if (down.mean > longest.mean) longest = down;
    if (mode == job.recovery) break;
  }
  return longest;
}

/// What recoveries take: the first attempt by its parts, all else as restart.
void add_recoveries(const JobReliability& job, const std::vector<Exposure>& exposed,
                    FailureLoad& load) {
  for (const Exposure& e : exposed) {
    if (e.action != FailureAction::crash) continue;
    const double share = e.rate / load.rate;
    if (job.recovery == RecoveryMode::restart) {
      const Seconds detected = until_failure(load.rate, e.detect);
      load.detect += share * detected;
      load.diagnose += share * (until_failure(load.rate, e.detect + e.diagnose) - detected);
    } else {
      load.detect += share * e.detect;
      load.diagnose += share * e.diagnose;
    }
  }
  const Downtime down = down_of(job, exposed);
  load.restart = std::max(Seconds{}, down.mean - load.detect - load.diagnose);
  load.down_deviation = down.deviation;
}

}  // namespace

std::vector<Exposure> exposures(const JobReliability& job) {
  std::vector<Exposure> exposed;
  for (const FailureRate& rate : job.rates.components) {
    const double units = units_of(job, rate.unit);
    Exposure exposure{.component = rate.component,
                      .action = rate.action,
                      .rate = units * active_rate(rate, job.running_share),
                      .needs_spare = rate.needs_spare,
                      .detect = rate.detect.value_or(Seconds{}),
                      .diagnose = rate.diagnose.value_or(Seconds{}),
                      .repair = rate.repair.value_or(Seconds{}),
                      .degraded_speed = rate.degraded_speed.value_or(1)};
    exposure.pause = exposure.detect + exposure.diagnose + exposure.repair;
    const bool access = on_access_links(rate) && rate.action == FailureAction::crash;
    if (access && job.spares) {
      exposure.of_switch = rate.unit == FailureUnit::network_switch;
      exposure.needs_spare = !exposure.of_switch;
    }
    if (rate.unit == FailureUnit::feed && rate.action == FailureAction::crash && job.spares) {
      exposure.of_feed = true;
      exposure.needs_spare = false;
    }
    if (access && job.access == AccessLinks::dual_tor) {
      add_pairs(job, rate, units, std::move(exposure), exposed);
    } else {
      exposed.push_back(std::move(exposure));
    }
  }
  return exposed;
}

FailureLoad failure_load(const JobReliability& job, const std::vector<Exposure>& exposed) {
  FailureLoad load;
  for (const Exposure& e : exposed) {
    load.rates.push_back(e.rate);
    if (e.action == FailureAction::crash) {
      load.rate += e.rate;
    } else if (e.action == FailureAction::stall) {
      load.stalled += e.rate * e.pause;
      load.pause_squared += (e.rate * e.pause) * e.pause;
    } else {
      load.speed *= mean_speed(e.rate, e.repair, e.degraded_speed);
    }
  }
  if (load.rate > PerSecond{}) add_recoveries(job, exposed, load);
  const Crashes crashes{.rate = load.rate,
                        .down = load.down(),
                        .stalled = load.stalled,
                        .of_losses = crashes_of_losses(exposed)};
  const SpareOutlook spare = spares_of(job, exposed, crashes);
  if (job.spares) load.p_spares_ok = spare.p_ok;
  load.waiting = spare.waiting;
  load.crashes_wait = crashes.of_losses * spare.waiting;
  load.pause_squared += spare.squared;
  load.wall_per_active = 1 + load.rate * load.down() + load.waiting + load.stalled;
  return load;
}

}  // namespace planner::reliability
