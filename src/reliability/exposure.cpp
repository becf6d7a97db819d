#include "planner/reliability/exposure.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/reliability/degraded.hpp"
#include "planner/reliability/pairs.hpp"
#include "planner/reliability/rate_basis.hpp"

namespace planner::inline reliability {

namespace {

/// Of the job, of the parts that a rate is for.
double units_of(const JobReliability& job, FailureUnit unit) {
  const auto& node_gpus = job.rates.gpus_per_node;
  if (unit != FailureUnit::node || !node_gpus) return job.counts.of(unit);
  return real(ceil_div(job.counts.gpus, *node_gpus));
}

/// From the fault until the job trains again.
Seconds restart_of(const JobReliability& job, const Exposure& exposure) {
  const bool optical = job.optical && exposure.takes_spares();
  return optical ? job.restart + job.optical->reconfigure : job.restart;
}

/// A data-parallel group stands still from the loss of a host until it is back, which takes another
/// checkpoint and restart. J losses out of DP groups leave E(1 - J/DP)+ of the speed; a host of
/// several groups takes all of them, so that no more groups count than there are hosts.
void add_shrinking(const JobReliability& job, const std::vector<Exposure>& exposed,
                   FailureLoad& load) {
  PerSecond losses{};
  double out = 0;
  for (const Exposure& e : exposed) {
    if (e.action != FailureAction::crash || !e.needs_spare) continue;
    losses += e.rate;
    out += e.rate * e.repair;
  }
  if (losses <= PerSecond{}) return;
  const Seconds back = job.checkpoint.stall + job.restart;
  load.stalled += losses * back;
  load.pauses.push_back({losses, back});
  const std::int64_t groups = std::min(*job.shrink, std::max<std::int64_t>(1, job.counts.nodes));
  load.speed *= shrunk_speed(losses, Seconds{out / losses.si()}, groups);
}

/// Share of the losses that wait for spares that are crashes too.
double crashes_of_losses(const std::vector<Exposure>& exposed) {
  PerSecond crashing{}, losses{};
  for (const Exposure& exposure : exposed) {
    if (!exposure.takes_spares() || exposure.swapped) continue;
    losses += exposure.rate;
    if (exposure.action == FailureAction::crash) crashing += exposure.rate;
  }
  return losses > PerSecond{} ? crashing / losses : 1;
}

/// Losses of switches and feeds, with `swapped` those too that the job works on without. Where both
/// take hosts away, as groups of one kind with their mean size and repair: an approximation, exact
/// where only one of them fails.
GroupLosses groups_of(const JobReliability& job, const std::vector<Exposure>& exposed,
                      std::int64_t units, bool swapped) {
  GroupLosses groups;
  double repairs = 0, hosts = 0;
  const auto add = [&](bool Exposure::*is, std::int64_t number, std::int64_t of_one) {
    PerSecond rate{};
    for (const Exposure& exposure : exposed) {
      if (!(exposure.*is) || (exposure.swapped && !swapped)) continue;
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

/// What takes spares: crashes, and with `swapped` what works on without them.
SpareLosses losses_of(const JobReliability& job, const std::vector<Exposure>& exposed,
                      std::int64_t units, bool swapped) {
  const SparePolicy& policy = *job.spares;
  PerSecond singles{};
  const Seconds of_crash = policy.repair.value_or(Seconds{});
  double repairs = 0;
  SpareLosses losses{.groups = groups_of(job, exposed, units, swapped)};
  for (const Exposure& exposure : exposed) {
    if (!exposure.needs_spare || exposure.of_group() || (exposure.swapped && !swapped)) continue;
    singles += exposure.rate;
    repairs += exposure.rate * (exposure.swapped ? exposure.repair : of_crash);
  }
  losses.rate = singles / real(std::max<std::int64_t>(1, units));
  losses.repair = swapped && singles > PerSecond{} ? Seconds{repairs / singles.si()} : of_crash;
  if (policy.unit_trays > 1 && policy.repair) {
    const PerSecond of_tray = losses.rate / real(policy.unit_trays - policy.spare_trays);
    const UnitOutages unit =
        unit_outages(policy.unit_trays, policy.spare_trays, of_tray, losses.repair);
    losses.rate = unit.rate;
    losses.repair = unit.repair;
  }
  return losses;
}

/// What a spare is to a job that needs one for a share of its failures.
SpareOutlook spares_of(const JobReliability& job, const std::vector<Exposure>& exposed,
                       const Crashes& crashes, ShortageCurves* curves) {
  if (!job.spares) return {};
  const std::int64_t units = job.spares->units(job.counts.gpus);
  const SpareLosses losses = losses_of(job, exposed, units, false);
  SparePolicy of_units = *job.spares;
  if (of_units.repair) of_units.repair = losses.repair;
  return spare_outlook(of_units, units, losses.rate, losses.groups, crashes, job.hazard, curves);
}

/// Pauses of hosts that are swapped, and the speed of the job while some work on without a spare.
/// Their repairs go on while the job is down, waits or pauses; of a wait of T they leave the share
/// 1/(1 + T/ρ), which makes it T/(1 + T/ρ) long to them.
void add_swaps(const JobReliability& job, const std::vector<Exposure>& exposed,
               const SpareOutlook& waits, FailureLoad& load) {
  double out = 0, slow = 0;  // parts out at once, and what they take of the speed
  for (const Exposure& e : exposed) {
    if (!e.swapped) continue;
    out += e.rate * e.repair;
    slow += e.rate * e.repair * (1 - e.degraded_speed);
  }
  if (out <= 0) return;
  SwapOutlook swap;
  double paused = 0;
  const auto pauses = [&] {
    double sum = 0;
    for (const Exposure& e : exposed) {
      if (e.swapped) sum += (e.of_switch ? swap.groups : swap.singles) * (e.rate * e.pause);
    }
    return sum;
  };
  if (job.spares) {
    const std::int64_t units = job.spares->units(job.counts.gpus);
    const SpareLosses crashing = losses_of(job, exposed, units, false);
    const SpareLosses all = losses_of(job, exposed, units, true);
    const double each = waits.waiting > 0 ? waits.squared().si() / (2 * waits.waiting) : 0;
    const double repair = all.repair.si();
    const double waited = repair > 0 ? waits.waiting / (1 + each / repair) : 0;
    constexpr int kRounds = 2;  // how long it is paused is what it depends on, a little
    for (int i = 0; i < kRounds; ++i) {
      const double running = 1 + load.rate * load.down() + load.stalled + waited + paused;
      swap = swap_outlook(*job.spares, units, crashing, all,
                          job.hazard == DownHazard::all ? 1 : running);
      paused = pauses();
    }
  } else {
    paused = pauses();
  }
  load.stalled += paused;
  load.unswapped = swap.slowed;
  load.speed *= 1 - slow / out * swap.slowed;
  for (const Exposure& e : exposed) {
    if (!e.swapped) continue;
    const double share = e.of_switch ? swap.groups : swap.singles;
    load.pauses.push_back({share * e.rate, e.pause});
  }
}

/// Time down of a crash. A recovery that starts over takes the class of the failure that hit it,
/// which may recover faster: what was to be done is still to be done. And what was observed may be
/// all of one recovery, as a gentler mode reads it. So a harsher mode never takes less than a
/// gentler one.
struct CrashTimes {
  Downtime down;
  std::vector<CrashClass> classes;  ///< of each crash
};

CrashTimes down_of(const JobReliability& job, const std::vector<Exposure>& exposed) {
  constexpr double kAlike = 1 - 1e-12;  // of those the harsher, which spreads more
  CrashTimes longest;
  for (const RecoveryMode mode : kRecoveryModes) {
    const LongerTimes& read = job.read_as[static_cast<std::size_t>(mode)];
    const Seconds longer = (read.restart - 1) * job.restart;
    std::vector<CrashClass> classes;
    for (const Exposure& e : exposed) {
      if (e.action != FailureAction::crash) continue;
      classes.push_back(crash_class(e.rate, read.detect * e.detect + read.diagnose * e.diagnose,
                                    restart_of(job, e) + longer, mode));
    }
    const Downtime down = downtime(classes);
    if (down.mean >= kAlike * longest.down.mean) longest = {down, std::move(classes)};
    if (mode == job.recovery) break;
  }
  return longest;
}

/// Visits the kinds of crashes that need a spare, each with its exposure.
void for_spares(const std::vector<Exposure>& exposed, auto& crashes, const auto& visit) {
  auto crash = crashes.begin();
  for (const Exposure& e : exposed) {
    if (e.action != FailureAction::crash) continue;
    if (e.takes_spares() && !e.swapped) visit(e, *crash);
    ++crash;
  }
}

/// Crashes that need a spare, by how long they are down.
std::vector<HidingCrash> hiding_crashes(const std::vector<Exposure>& exposed,
                                        const FailureLoad& load) {
  std::vector<HidingCrash> found;
  PerSecond all{};
  for_spares(exposed, load.crashes, [&](const Exposure& e, const LossKind& crash) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const HidingCrash& other) {
      return other.down == crash.each;
    });
    if (same == found.end()) {
      found.push_back({e.rate.si(), crash.each});
    } else {
      same->share += e.rate.si();
    }
    all += e.rate;
  });
  for (HidingCrash& one : found) one.share = all > PerSecond{} ? one.share / all.si() : 0;
  return found;
}

/// How many crashes and stalls of each kind wait so: all losses meet shortages alike, and of the
/// waits, which are nearly exponential, a recovery leaves the share e^(-D/T). A stall hides
/// nothing.
void share_out(const Pauses& waits, const std::vector<Exposure>& exposed, bool hidden,
               FailureLoad& load) {
  const double each = waits.each.si();
  PerSecond weights{};
  for (LossKind& crash : load.crashes) crash.waiting.push_back({});
  for_spares(exposed, load.crashes, [&](const Exposure&, LossKind& crash) {
    crash.waiting.back() = hidden ? std::exp(-crash.each.si() / each) * crash.rate : crash.rate;
    weights += crash.waiting.back();
  });
  for (LossKind& stall : load.stalls) {
    stall.waiting.push_back(stall.rate);
    weights += stall.rate;
  }
  if (weights <= PerSecond{}) return;
  const double of_weight = waits.rate / weights;
  for (LossKind& loss : load.crashes) loss.waiting.back() = of_weight * loss.waiting.back();
  for (LossKind& loss : load.stalls) loss.waiting.back() = of_weight * loss.waiting.back();
}

/// No more wait than there are.
void no_more_than_there_are(std::vector<LossKind>& losses) {
  for (LossKind& of : losses) {
    PerSecond all{};
    for (const PerSecond waiting : of.waiting) all += waiting;
    if (all <= of.rate) continue;
    for (PerSecond& waiting : of.waiting) waiting = of.rate / all * waiting;
  }
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
  const auto [down, classes] = down_of(job, exposed);
  load.restart = std::max(Seconds{}, down.mean - load.detect - load.diagnose);
  load.down_deviation = down.deviation;
  Seconds undisturbed{};
  for (const CrashClass& one : classes) undisturbed += one.rate / load.rate * one.uninterrupted();
  // What failures during recoveries repeat, shared out as these are long.
  const double repeated = undisturbed > Seconds{} ? load.down() / undisturbed : 1;
  const std::vector<Interruptions> interrupted = interruptions(classes, down.mean);
  load.crashes.reserve(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Seconds once = classes[i].uninterrupted();
    load.crashes.push_back({.rate = classes[i].rate,
                            .each = repeated * once,
                            .least = once,
                            .interrupted = interrupted[i]});
  }
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
                      .detect_unknown = rate.detect_unknown,
                      .diagnose_unknown = rate.diagnose_unknown,
                      .repair = rate.repair.value_or(Seconds{}),
                      .degraded_speed = rate.degraded_speed.value_or(1)};
    exposure.pause = exposure.detect + exposure.diagnose + exposure.repair;
    const bool access = rate.on_access_links() && rate.action == FailureAction::crash;
    if (access && (job.spares || job.shrink)) {
      exposure.of_switch = rate.unit == FailureUnit::network_switch;
      exposure.needs_spare = !exposure.of_switch;
    }
    const bool feed = rate.unit == FailureUnit::feed && rate.action == FailureAction::crash;
    exposure.of_feed = feed && job.spares;
    if (exposure.of_feed) exposure.needs_spare = false;
    if (access && job.access == AccessLinks::dual_tor) {
      const Seconds restart = restart_of(job, exposure);
      add_pairs(job, rate.unit, restart, std::move(exposure), exposed);
    } else {
      exposed.push_back(std::move(exposure));
    }
  }
  return exposed;
}

PerSecond crash_rate(const std::vector<Exposure>& exposed) {
  PerSecond sum{};
  for (const Exposure& e : exposed) sum += e.action == FailureAction::crash ? e.rate : PerSecond{};
  return sum;
}

FailureLoad failure_load(const JobReliability& job, const std::vector<Exposure>& exposed,
                         ShortageCurves* curves) {
  FailureLoad load{.rate = crash_rate(exposed)};
  load.rates.reserve(exposed.size());
  for (const Exposure& e : exposed) {
    load.rates.push_back(e.rate);
    if (e.swapped || e.action == FailureAction::crash) continue;
    if (e.action == FailureAction::stall) {
      load.stalled += e.rate * e.pause;
      if (job.spares && e.takes_spares()) {
        load.stalls.push_back({.rate = e.rate, .each = e.pause, .least = e.pause});
      } else {
        load.pauses.push_back({e.rate, e.pause});
      }
    } else {
      load.speed *= mean_speed(e.rate, e.repair, e.degraded_speed);
    }
  }
  if (load.rate > PerSecond{}) add_recoveries(job, exposed, load);
  if (job.shrink) add_shrinking(job, exposed, load);
  const std::vector<HidingCrash> hiding = hiding_crashes(exposed, load);
  const Crashes crashes{.rate = load.rate,
                        .down = load.down(),
                        .stalled = load.stalled,
                        .of_losses = crashes_of_losses(exposed),
                        .hiding = hiding};
  const SpareOutlook spare = spares_of(job, exposed, crashes, curves);
  load.waiting = spare.waiting;
  load.crashes_wait = crashes.of_losses * spare.waiting;
  load.spare_waits = spare.waits;
  for (LossKind& crash : load.crashes) crash.waiting.reserve(spare.waits.size());
  for (const Pauses& waits : spare.waits) {
    share_out(waits, exposed, job.spares->repair.has_value(), load);
  }
  no_more_than_there_are(load.crashes);
  no_more_than_there_are(load.stalls);
  add_swaps(job, exposed, spare, load);
  if (job.spares) load.p_spares_ok = std::min(1.0, spare.p_ok * (1 - load.unswapped));
  load.wall_per_active = 1 + load.rate * load.down() + load.waiting + load.stalled;
  return load;
}

}  // namespace planner::reliability
