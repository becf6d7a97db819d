// Random jobs, each assumption of theirs made harsher, and what both come to.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "planner/reliability/exposure.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/outlook.hpp"
#include "support/reliability.hpp"

namespace planner::testing {

/// A job, its time without failures, and by what its assumptions become harsher.
struct RandomRun {
  JobReliability job;
  Seconds ideal{};
  double harsher_by = 1;
};

/// From eight servers to eight thousand, from a failure an hour to one in three months, runs of
/// hours to months: with many losses, and with few that bring long waits.
class RandomRuns {
 public:
  JobReliability next() {
    const auto nodes = static_cast<std::int64_t>(log_uniform(8, 8000));
    JobReliability job{.counts = {.gpus = 8 * nodes,
                                  .nics = 8 * nodes,
                                  .nodes = nodes,
                                  .links = 8 * nodes,
                                  .switches = (nodes + 7) / 8,
                                  .feeds = (nodes + 31) / 32}};
    const double between = log_uniform(1, 2000);
    const int kinds = 1 + static_cast<int>(uniform(0, 4));
    for (int i = 0; i < kinds; ++i) {
      constexpr std::array kUnits{
          FailureUnit::gpu,  FailureUnit::node,           FailureUnit::job,
          FailureUnit::link, FailureUnit::network_switch, FailureUnit::feed};
      const auto of = static_cast<std::size_t>(chance(0.7) ? uniform(0, 3) : uniform(3, 6));
      FailureRate rate = rate_of(
          kUnits.at(of), log_uniform(0.1, 1) / between / kinds / job.counts.of(kUnits.at(of)));
      rate.detect = Seconds{log_uniform(1, 3600)};
      rate.diagnose = Seconds{log_uniform(10, 40000)};
      rate.repair = hours(log_uniform(1, 200));
      rate.needs_spare = chance(0.7);
      if (chance(0.15)) rate.action = FailureAction::stall;
      job.rates.components.push_back(rate);
    }
    job.checkpoint.stall = Seconds{log_uniform(0.1, 300)};
    if (chance(0.5)) job.checkpoint.interval = Seconds{log_uniform(60, 20000)};
    if (chance(0.3)) job.checkpoint.durable = Seconds{log_uniform(1, 100)};
    job.restart = Seconds{log_uniform(10, 10000)};
    job.recovery = kRecoveryModes[static_cast<std::size_t>(uniform(0, 3))];
    if (chance(0.2)) job.hazard = DownHazard::all;
    if (chance(0.8)) job.spares = spares(nodes);
    return job;
  }
  RandomRun next_run() {
    RandomRun run{.job = next()};
    run.ideal = hours(log_uniform(6, 3000));
    run.harsher_by = log_uniform(1.01, 4);
    return run;
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }

 private:
  SparePolicy spares(std::int64_t nodes) {
    SparePolicy policy{.unit_gpus = 8, .switch_hosts = 8, .feed_hosts = 32};
    if (chance(0.4)) policy.pools = std::min(nodes, 1 + static_cast<std::int64_t>(uniform(0, 4)));
    const double of_pool = chance(0.3) ? 0 : log_uniform(1, 100);
    policy.spares =
        policy.pools * std::min(nodes / policy.pools, static_cast<std::int64_t>(of_pool));
    if (chance(0.15)) {
      policy.visits = hours(log_uniform(24, 700));
      return policy;
    }
    policy.repair = hours(log_uniform(1, 300));
    if (chance(0.4)) policy.crews = 1 + static_cast<std::int64_t>(log_uniform(1, 20));
    return policy;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool chance(double p) { return uniform(0, 1) < p; }

  std::mt19937_64 random_{7};
};

struct Harsher {
  std::string what;
  JobReliability job;
  bool recovers = false;  ///< longer
};

/// Whether switches or feeds take several units at once.
inline bool loses_groups(const JobReliability& job) {
  bool groups = false;
  for (const Exposure& exposure : exposures(job)) groups |= exposure.of_switch || exposure.of_feed;
  return groups;
}

/// Every assumption of the job, made harsher by a factor.
inline std::vector<Harsher> harsher(const JobReliability& job, double by) {
  std::vector<Harsher> found;
  const auto add = [&](const char* what, const auto& change, bool recovers = false) {
    found.push_back({what, job, recovers});
    change(found.back().job);
  };
  const auto of_each = [&](auto member) {
    return [=](JobReliability& worse) {
      for (FailureRate& rate : worse.rates.components) rate.*member = by * *(rate.*member);
    };
  };
  add("rates", [&](JobReliability& worse) {
    // The best interval for more crashes is another.
    worse.checkpoint.interval = goodput(job).interval;
    for (FailureRate& rate : worse.rates.components) rate.rate = by * rate.rate;
  });
  add("detection", of_each(&FailureRate::detect), true);
  add("diagnosis", of_each(&FailureRate::diagnose), true);
  add(
      "restart", [&](JobReliability& worse) { worse.restart = by * worse.restart; }, true);
  add("stall",
      [&](JobReliability& worse) { worse.checkpoint.stall = by * worse.checkpoint.stall; });
  if (job.recovery != RecoveryMode::restart) {
    add(
        "recovery",
        [](JobReliability& worse) {
          worse.recovery =
              worse.recovery == RecoveryMode::merge ? RecoveryMode::phased : RecoveryMode::restart;
        },
        true);
  }
  if (!job.spares) return found;
  const SparePolicy& spares = *job.spares;
  if (spares.visits) {
    add("visits", [&](JobReliability& worse) { worse.spares->visits = by * *spares.visits; });
  } else {
    add("repair", [&](JobReliability& worse) { worse.spares->repair = by * *spares.repair; });
    add("crews", [&](JobReliability& worse) {
      worse.spares->crews = std::max<std::int64_t>(1, spares.crews.value_or(8) / 2);
    });
  }
  if (spares.spares > 0) {
    add("spares", [&](JobReliability& worse) {
      const std::int64_t of_pool = spares.spares / spares.pools;
      worse.spares->spares -= spares.pools * std::max<std::int64_t>(1, of_pool / 3);
    });
  }
  if (spares.pools == 1 && spares.spares % 2 == 0) {
    add("pools", [](JobReliability& worse) { worse.spares->pools = 2; });
  }
  return found;
}

/// Of a run, each the larger the worse.
struct Figures {
  std::vector<double> mean, quantiles, ends;
};

inline Figures figures_of(const JobReliability& of, Seconds ideal, bool with_ends) {
  constexpr Unknown kUnknown{.rates = 0.68};
  const JobReliability job = with_unknown_times(of, 0.86);
  const auto exposed = exposures(job);
  const FailureLoad load = failure_load(job, exposed);
  const Goodput result = goodput(load, job.checkpoint);
  const RunDays days = run_days(ideal, load, job.checkpoint, result);
  Figures found{.mean = {1 / result.availability, days.mean.si()}};
  for (int p = 5; p <= 95; p += 5) found.quantiles.push_back(days.quantile(p / 100.0).si());
  if (!with_ends) return found;
  const auto [available, time] = outlook_ranges(job, exposed, result, days, kUnknown);
  found.ends = {time->low.si(), time->high.si(), 1 / available.low, 1 / available.high};
  return found;
}

}  // namespace planner::testing
