// The closed forms against seeded simulations of the same failures.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "planner/reliability/goodput.hpp"
#include "planner/reliability/spares.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"
#include "support/run_outlook.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// Hours of: M between failures, tau between checkpoints of stall d, durable w later, recovery R.
struct Case {
  double tau, d, M, R, w;
  bool recovery_can_fail;
};

/// One run of `work` useful hours.
double simulated_hours(const Case& c, double work, std::mt19937_64& random) {
  std::exponential_distribution<double> failure(1 / c.M);
  double time = 0, done = 0;
  while (true) {
    const double next = failure(random);
    const double left = work - done;
    const double needed = left + std::ceil(left / c.tau - 1e-12) * c.d;
    if (next >= needed) return time + needed;
    double periods = std::floor(next / (c.tau + c.d));
    const double age = next - periods * (c.tau + c.d);
    if (age < c.w && periods >= 1) --periods;  // the last one could not be loaded yet
    done += periods * c.tau;
    time += next + c.R;
    if (!c.recovery_can_fail) continue;
    for (double again = failure(random); again < c.R; again = failure(random)) time += again;
  }
}

JobReliability job_of(const Case& c) {
  JobReliability job = of_nodes(1, 1 / c.M);
  job.checkpoint = {.interval = hours(c.tau), .stall = hours(c.d), .durable = hours(c.w)};
  job.restart = hours(c.R);
  job.recovery = c.recovery_can_fail ? RecoveryMode::restart : RecoveryMode::merge;
  return job;
}

}  // namespace

TEST_CASE("availability, spread and quantiles of the days agree with a simulation") {
  constexpr int kRuns = 6000;
  for (const Case& c : {Case{.5, .02, 3, .3, 0, false}, Case{.5, .02, 3, .3, 0, true},
                        Case{1, .1, 2, .5, 0, false}, Case{.1667, .003, 3.093, .25, 0, false},
                        Case{.25, .003, 3, .25, .1, false}, Case{.25, .003, 1, .25, .2, false}}) {
    CAPTURE(c.tau);
    CAPTURE(c.M);
    CAPTURE(c.w);
    CAPTURE(c.recovery_can_fail);
    const double work = 200 * c.tau;
    std::mt19937_64 random(20260101);
    std::vector<double> hours_taken(kRuns);
    for (double& taken : hours_taken) taken = simulated_hours(c, work, random);
    std::sort(hours_taken.begin(), hours_taken.end());
    const double mean = std::accumulate(hours_taken.begin(), hours_taken.end(), 0.0) / kRuns;
    double square = 0;
    for (const double taken : hours_taken) square += (taken - mean) * (taken - mean);
    const double deviation = std::sqrt(square / (kRuns - 1));

    const auto outlook = run_outlook(job_of(c), hours(work));
    const RunDays& days = outlook.days;
    // Four standard errors of the simulated mean, and half a period: no run ends within one.
    CHECK(std::abs(days.mean.si() / 3600 - mean) <
          4 * deviation / std::sqrt(kRuns) + (c.tau + c.d) / 2);
    // The design's form n·(s²/12 + (E L + K)²)/(1 - E L/M)² is 9 % high in the last case.
    const double ours = days.deviation.in(units::hour);
    CHECK(ours == near(deviation, 0.04));  // 2 %, and two standard errors of the simulated one
    CHECK(days.p95.si() / 3600 == near(hours_taken[kRuns * 95 / 100], 0.02));
    CHECK(days.p50.si() / 3600 == near(hours_taken[kRuns / 2], 0.02));
  }
}

TEST_CASE("stalls and crashes of two kinds: simulated event by event") {
  JobReliability job = of_nodes(1, 1 / 40.0);
  FailureRate slow = rate_of(FailureUnit::job, 1 / 25.0);
  slow.detect = hours(0.7);
  FailureRate stall = rate_of(FailureUnit::job, 1 / 10.0);
  stall.action = FailureAction::stall;
  stall.repair = hours(0.2);
  job.rates.components.push_back(slow);
  job.rates.components.push_back(stall);
  job.restart = hours(0.5);
  job.checkpoint = {.interval = hours(1), .stall = hours(0.05)};

  std::mt19937_64 random(7);
  std::exponential_distribution<double> unit(1);
  double time = 0, kept = 0, since = 0;  // hours, useful hours, hours of the running period
  double fast_left = 40 * unit(random), slow_left = 25 * unit(random);
  double stall_left = 10 * unit(random);
  while (time < 400'000) {
    const double until = std::min({fast_left, slow_left, stall_left, 1.05 - since});
    time += until;
    since += until;
    for (double* left : {&fast_left, &slow_left, &stall_left}) *left -= until;
    if (since >= 1.05 - 1e-12) {
      kept += 1;
      since = 0;
    } else if (fast_left <= 0) {
      fast_left = 40 * unit(random);
      since = 0;
      time += 0.5;
    } else if (stall_left <= 0) {
      stall_left = 10 * unit(random);
      time += 0.2;
    } else {
      slow_left = 25 * unit(random);
      since = 0;
      time += 1.2;
    }
  }
  CHECK(availability(job) == near(kept / time, 0.002));
}

TEST_CASE("spares: nothing repaired, repaired by crews, repaired at visits") {
  constexpr int kTrials = 20'000;
  constexpr int kNodes = 136, kSpares = 8;
  const double rate = 6.5e-3 / 24;  // per hour
  std::mt19937_64 random(3);
  std::exponential_distribution<double> life(rate);
  int ok = 0;
  double waited = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> fails(kNodes);
    for (double& at : fails) at = life(random);
    std::nth_element(fails.begin(), fails.begin() + kSpares, fails.end());
    if (fails[kSpares] > 168) {
      ++ok;
    } else {
      waited += 168 - fails[kSpares];
    }
  }
  const PerSecond r = rate * units::per_hour;
  CHECK(std::abs(spares_suffice(kNodes, kSpares, r, hours(168)) - ok / double{kTrials}) < 0.01);
  const SpareOutlook visits = spare_outlook({.spares = kSpares, .visits = hours(168)},
                                            kNodes - kSpares, r, {}, {}, DownHazard::running);
  CHECK(visits.waiting == near(waited / (168.0 * kTrials - waited), 0.03));

  // One crew, 30 h a repair: the share of the job's failures that find no spare.
  std::exponential_distribution<double> unit(1);
  int out = 0;
  double waiting = 0, all = 0;
  for (int event = 0; event < 2'000'000; ++event) {
    const double fail = out > kSpares ? 0 : (kNodes - out) * rate;
    const double repair = out > 0 ? 1 / 30.0 : 0;
    const double step = unit(random) / (fail + repair);
    all += step;
    if (out > kSpares) waiting += step;
    if (std::uniform_real_distribution<double>(0, fail + repair)(random) < fail) {
      ++out;
    } else {
      --out;
    }
  }
  const SparePolicy crew{.spares = kSpares, .repair = hours(30), .crews = 1};
  const SpareOutlook outlook =
      spare_outlook(crew, kNodes - kSpares, r, {}, {}, DownHazard::running);
  CHECK(outlook.p_ok == near(1 - waiting / all, 0.02));
  CHECK(outlook.waiting == near(waiting / (all - waiting), 0.03));
}

namespace {

/// Hours: share of the calendar in which the job runs, with spares that fail as well, each back
/// after an exponential time; a failure of the job starts a recovery, during which the job fails by
/// `hazard` only, and needs a node in the place of the failed one. Those of a group that is out
/// fail at all hours or not at all.
double simulated_running(const SparePool& pool, double recovery, DownHazard hazard,
                         std::mt19937_64& random) {
  const double rate = pool.rate * units::hour, repair = pool.repair.in(units::hour);
  const double group_rate = pool.groups.rate * units::hour;
  const double group_repair = pool.groups.repair.in(units::hour);
  std::exponential_distribution<double> unit(1);
  double all = 0, running = 0, recovering = 0;
  std::int64_t out = 0, groups = 0;
  for (int event = 0; event < 2'000'000; ++event) {
    const bool waits = out + pool.groups.units * groups > pool.spares;
    const bool up = !waits && recovering <= 0;
    const bool fails = up || hazard == DownHazard::all;
    // What fails beyond the spares is of the job itself.
    const std::int64_t dark = hazard == DownHazard::all ? 0 : pool.groups.units * groups;
    const double in = real(pool.active + pool.spares - out - dark);
    const double single = fails ? in * rate : 0;
    const double group = fails ? real(pool.groups.groups - groups) * group_rate : 0;
    const double back = std::min(real(out), pool.crews) / repair;
    const double groups_back = groups > 0 ? real(groups) / group_repair : 0;
    const double sum = single + group + back + groups_back;
    double step = unit(random) / sum;
    if (recovering > 0 && step > recovering) {  // exponential times have no memory
      all += recovering;
      recovering = 0;
      continue;
    }
    all += step;
    if (up) running += step;
    recovering = std::max(0.0, recovering - step);
    double drawn = std::uniform_real_distribution<double>(0, sum)(random);
    if ((drawn -= single) < 0) {
      const double of_job = real(pool.active) / in;
      ++out;
      const bool hits = std::uniform_real_distribution<double>(0, 1)(random) < of_job;
      if (hits && up) recovering = recovery;
    } else if ((drawn -= group) < 0) {
      ++groups;
      if (up) recovering = recovery;
    } else if ((drawn -= back) < 0) {
      --out;
    } else {
      --groups;
    }
  }
  return running / all;
}

}  // namespace

TEST_CASE("pools that share no spares: while the job waits for one, repairs go on in all") {
  constexpr int kPools = 4;
  constexpr double kRate = 6.5e-3 / 24;
  std::mt19937_64 random(5);
  std::exponential_distribution<double> unit(1);
  for (const auto& [nodes, spares, repair, crews] :
       {std::tuple{1280, 16, 168.0, 10'000}, std::tuple{1280, 8, 168.0, 10'000},
        std::tuple{4096, 8, 24.0, 10'000}, std::tuple{1088, 26, 47.0, 3}}) {
    CAPTURE(nodes);
    CAPTURE(spares);
    CAPTURE(crews);
    const double of_pool = real(crews) / kPools;
    const auto returns = [&, repair = repair](int pool) {
      return std::min(real(pool), of_pool) / repair;
    };
    const int units = nodes / kPools;
    std::array<int, kPools> out{};
    double all = 0, running = 0;
    for (int event = 0; event < 2'000'000; ++event) {
      const bool up = *std::max_element(out.begin(), out.end()) <= spares;
      const int all_out = std::accumulate(out.begin(), out.end(), 0);
      const double fail = up ? (nodes + kPools * spares - all_out) * kRate : 0;
      double back = 0;
      for (const int pool : out) back += returns(pool);
      const double step = unit(random) / (fail + back);
      all += step;
      if (up) running += step;
      double drawn = std::uniform_real_distribution<double>(0, fail + back)(random);
      const bool fails = drawn < fail;
      if (!fails) drawn -= fail;
      for (int& pool : out) {
        const double share = fails ? (units + spares - pool) * kRate : returns(pool);
        if ((drawn -= share) >= 0) continue;
        pool += fails ? 1 : -1;
        break;
      }
    }
    const SparePolicy policy{
        .spares = kPools * spares, .pools = kPools, .repair = hours(repair), .crews = crews};
    const SpareOutlook outlook =
        spare_outlook(policy, nodes, kRate * units::per_hour, {}, {}, DownHazard::running);
    // As of several pools (docs/goodput.md): too high, as if pools filled up apart.
    CHECK(1 / (1 + outlook.waiting) == near(running / all, 0.07));
  }
}

TEST_CASE("spares, groups of hosts and recoveries against a simulation, both hazards") {
  std::mt19937_64 random(11);
  const auto pool_of = [](std::int64_t spares, GroupLosses groups) {
    return SparePool{.active = 300,
                     .spares = spares,
                     .rate = 1 / 8.3 / 300 * units::per_hour,
                     .repair = hours(24),
                     .groups = groups};
  };
  const GroupLosses hosts{20, 1e-3 * units::per_hour, 3, hours(6)};
  for (const DownHazard hazard : kDownHazards) {
    for (const std::int64_t spares : {0, 2, 5}) {
      for (const GroupLosses& groups : {GroupLosses{}, hosts}) {
        for (const double recovery : {0.0, 0.5}) {
          CAPTURE(name_of(hazard));
          CAPTURE(spares);
          CAPTURE(groups.groups);
          CAPTURE(recovery);
          const SparePool pool = pool_of(spares, groups);
          const Crashes crashes{.rate = 300 * pool.rate + real(groups.groups) * groups.rate,
                                .down = hours(recovery)};
          const SpareOutlook outlook = hazard == DownHazard::all
                                           ? waits_at_all_hours(pool, crashes)
                                           : waits_while_running(pool, crashes);
          const double ours = 1 / (1 + crashes.rate * crashes.down + outlook.waiting);
          // Groups of 3 beyond 0 or 2 spares: the states that a shortage ends in count as usual
          // ones.
          const double bound = groups.groups > 0 ? 0.02 : 0.012;
          CHECK(ours == near(simulated_running(pool, recovery, hazard, random), bound));
        }
      }
    }
  }
}

TEST_CASE("groups that a job waits long for, and few crews: what came back in a wait is back") {
  std::mt19937_64 random(17);
  const auto pool_of = [](std::int64_t nodes, std::int64_t spares, double rate, double repair,
                          double crews, GroupLosses groups) {
    return SparePool{.active = nodes,
                     .spares = spares,
                     .rate = rate / real(nodes) * units::per_hour,
                     .repair = hours(repair),
                     .crews = crews,
                     .groups = groups};
  };
  const auto groups_of = [](std::int64_t number, double rate, std::int64_t size, double repair) {
    return GroupLosses{number, rate / real(number) * units::per_hour, size, hours(repair)};
  };
  struct Case {
    SparePool pool;
    double recovery;
  };
  // As if waits left no more than they found, these took 1.2 to 3.2 times as long.
  for (const Case& c :
       {Case{pool_of(1028, 28, 0.204, 28.6, 5, groups_of(129, 0.111, 8, 6.9)), 0.47},
        Case{pool_of(93, 12, 0.124, 35.9, 2, groups_of(12, 0.0675, 8, 57)), 1.72},
        Case{pool_of(12, 12, 0.127, 37.4, 1e9, groups_of(1, 0.322, 12, 80.7)), 0.41},
        Case{pool_of(6815, 98, 0.0305, 219, 4, groups_of(852, 0.0338, 8, 73.6)), 0.34}}) {
    CAPTURE(c.pool.active);
    const Crashes crashes{
        .rate = real(c.pool.active) * c.pool.rate + real(c.pool.groups.groups) * c.pool.groups.rate,
        .down = hours(c.recovery)};
    const double ours =
        1 / (1 + crashes.rate * crashes.down + waits_while_running(c.pool, crashes).waiting);
    CHECK(ours == near(simulated_running(c.pool, c.recovery, DownHazard::running, random), 0.02));
  }
}

TEST_CASE(
    "units that fail at all hours, groups and long recoveries, within which shortages begin") {
  std::mt19937_64 random(19);
  // Units, spares, hours of a unit's repair, losses an hour, groups, of an hour, hours of theirs,
  // and of a recovery. As if none began within a recovery these ran for 6 to 27 % less.
  for (const auto& [nodes, spares, repair, rate, groups, group_rate, group_repair, recovery] :
       {std::tuple{116, 34, 9.44, 0.1991, 15, 0.4815, 24.3, 4.07},
        std::tuple{13, 13, 3.98, 0.1385, 2, 0.0623, 46.7, 3.85}}) {
    CAPTURE(nodes);
    const SparePool pool{
        .active = nodes,
        .spares = spares,
        .rate = rate / nodes * units::per_hour,
        .repair = hours(repair),
        .groups = {groups, group_rate / groups * units::per_hour, 8, hours(group_repair)}};
    const Crashes crashes{.rate = (rate + group_rate) * units::per_hour, .down = hours(recovery)};
    const double ours =
        1 / (1 + crashes.rate * crashes.down + waits_at_all_hours(pool, crashes).waiting);
    CHECK(ours == near(simulated_running(pool, recovery, DownHazard::all, random), 0.05));
  }
}

TEST_CASE("long recoveries of jobs that wait for most of the time: repairs in them count once") {
  std::mt19937_64 random(13);
  // Units, spares, hours of repair, between failures and of a recovery.
  for (const auto& [nodes, spares, repair, between, recovery] :
       {std::tuple{9, 3, 16.3, 1.18, 2.59}, std::tuple{31, 7, 74.8, 1.6, 3.72},
        std::tuple{6, 2, 11.2, 1.7, 1.98}, std::tuple{69, 5, 99.9, 3.87, 1.52}}) {
    CAPTURE(nodes);
    const SparePool pool{.active = nodes,
                         .spares = spares,
                         .rate = 1 / between / nodes * units::per_hour,
                         .repair = hours(repair)};
    const Crashes crashes{.rate = 1 / between * units::per_hour, .down = hours(recovery)};
    const double ours =
        1 / (1 + crashes.rate * crashes.down + waits_while_running(pool, crashes).waiting);
    CHECK(ours == near(simulated_running(pool, recovery, DownHazard::running, random), 0.015));
  }
}
