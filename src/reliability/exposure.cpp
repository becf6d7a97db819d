#include "planner/reliability/exposure.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"

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

void add_pairs(const FailureRate& rate, Exposure single, std::vector<Exposure>& exposed) {
  const PerSecond all = 2 * single.rate;
  Exposure both = single;
  both.component += " (both of a pair)";
  both.rate = all * (rate.rate * single.repair);
  single.action = FailureAction::degrade;
  single.rate = all;
  exposed.push_back(std::move(single));
  exposed.push_back(std::move(both));
}

/// Rates and rates times lengths of one action, by basis.
struct Sums {
  PerSecond active{}, wall{};
  double active_time = 0, wall_time = 0;

  void add(const Exposure& exposure, Seconds length) {
    const bool is_wall = exposure.basis == RateBasis::wall;
    (is_wall ? wall : active) += exposure.rate;
    (is_wall ? wall_time : active_time) += exposure.rate * length;
  }
};

Seconds stall_of(const Exposure& exposure) {
  return exposure.detect + exposure.diagnose + exposure.repair;
}

/// What a spare is to a job that needs one for a share of its failures.
SpareOutlook spares_of(const JobReliability& job, const std::vector<Exposure>& exposed) {
  if (!job.spares) return {};
  PerSecond rate{};
  for (const Exposure& exposure : exposed) {
    if (exposure.needs_spare) rate += exposure.rate;
  }
  return spare_outlook(*job.spares, job.counts.nodes, rate / job.counts.of(FailureUnit::node));
}

/// Hours in which parts fail per active hour: active, recovery and stalls. Failures counted by the
/// calendar hit during recovery too, but not while the job waits for a spare (see spares.hpp).
/// Infinite where recovery takes all of it.
double exposed_per_active(const Sums& crash, const Sums& stall) {
  const double left = 1 - crash.wall_time - stall.wall_time;
  return left > 0 ? (1 + crash.active_time + stall.active_time) / left : INFINITY;
}

}  // namespace

double Exposure::degraded_share() const {
  return -std::expm1(-(rate * repair));
}

std::vector<Exposure> exposures(const JobReliability& job) {
  std::vector<Exposure> exposed;
  for (const FailureRate& rate : job.rates.components) {
    Exposure exposure{.component = rate.component,
                      .action = rate.action,
                      .basis = rate.basis,
                      .rate = rate.rate * units_of(job, rate.unit),
                      .needs_spare = rate.needs_spare,
                      .detect = rate.detect.value_or(Seconds{}),
                      .diagnose = rate.diagnose.value_or(Seconds{}),
                      .repair = rate.repair.value_or(Seconds{}),
                      .degraded_speed = rate.degraded_speed.value_or(1)};
    if (job.access == AccessLinks::dual_tor && on_access_links(rate) &&
        rate.action == FailureAction::crash) {
      add_pairs(rate, std::move(exposure), exposed);
    } else {
      exposed.push_back(std::move(exposure));
    }
  }
  return exposed;
}

std::optional<FailureLoad> failure_load(const JobReliability& job,
                                        const std::vector<Exposure>& exposed) {
  const SpareOutlook spare = spares_of(job, exposed);
  const auto recovery = [&](const Exposure& e) { return e.detect + e.diagnose + job.restart; };
  Sums crash, stall;
  for (const Exposure& e : exposed) {
    if (e.action == FailureAction::crash) crash.add(e, recovery(e));
    if (e.action == FailureAction::stall) stall.add(e, stall_of(e));
  }
  FailureLoad load;
  if (job.spares) load.p_spares_ok = spare.p_ok;
  // Where recovery can fail, failures come in the same way in all hours, whatever the basis.
  const double ratio = job.recovery_can_fail ? 1 : exposed_per_active(crash, stall);
  if (!std::isfinite(ratio)) return std::nullopt;
  load.rate = crash.active + ratio * crash.wall;
  double square = 0;
  for (const Exposure& e : exposed) {
    load.rates.push_back(e.basis == RateBasis::wall ? ratio * e.rate : e.rate);
    const PerSecond rate = load.rates.back();
    if (e.action == FailureAction::degrade) {
      const double slow = e.degraded_share();
      load.speed *= (1 - slow) + slow * e.degraded_speed;
    } else if (e.action == FailureAction::stall) {
      load.stalled += rate * stall_of(e);
      load.stall_squared += (rate * stall_of(e)) * stall_of(e);
    } else if (load.rate > PerSecond{}) {
      const double share = rate / load.rate;
      load.detect += share * e.detect;
      load.diagnose += share * e.diagnose;
      load.restart += share * job.restart;
      const double fixed = (e.detect + e.diagnose + job.restart).si();
      square += share * fixed * fixed;
      if (!e.needs_spare) continue;
      load.spare_wait += share * spare.mean_wait();
      square += share * spare.p_wait *
                (2 * fixed * spare.wait.si() + spare.wait_squared.si() * spare.wait_squared.si());
    }
  }
  load.recovery_squared = Seconds{std::sqrt(square)};
  load.wall_per_active = ratio + load.rate * load.spare_wait;
  if (!job.recovery_can_fail) return load;

  // A recovery of length R, the wait for a spare aside, that starts over at every failure takes
  // M·(e^(R/M) - 1) on average, with a variance of M²·(e^(2R/M) - 1 - 2R/M·e^(R/M)).
  const Seconds at_risk = load.recovery() - load.spare_wait;
  const double R = at_risk.si(), x = load.rate * at_risk;
  if (x > 0) {
    const double longer = std::expm1(x) / x, M = R / x;
    const double spread =
        x < 1e-2 ? x * x * x * (1 + x) / 3 : std::exp(2 * x) - 1 - 2 * x * std::exp(x);
    const double once = load.recovery().si(), mean = longer * R + load.spare_wait.si();
    load.recovery_squared =
        Seconds{std::sqrt(mean * mean + spread * M * M + std::max(0.0, square - once * once))};
    for (Seconds* part : {&load.detect, &load.diagnose, &load.restart}) {
      *part = longer * *part;
    }
  }
  load.wall_per_active = 1 + load.rate * load.recovery() + load.stalled;
  if (!std::isfinite(load.wall_per_active)) return std::nullopt;
  return load;
}

}  // namespace planner::reliability
