// The closed forms against seeded simulations of the same failures.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
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
  job.recovery_can_fail = c.recovery_can_fail;
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
    const double ours = std::sqrt(days.shape) * days.scale.si() / 3600;
    CHECK(ours == near(deviation, 0.04));  // 2 %, and two standard errors of the simulated one
    CHECK(days.p95.si() / 3600 == near(hours_taken[kRuns * 95 / 100], 0.02));
    CHECK(days.p50.si() / 3600 == near(hours_taken[kRuns / 2], 0.02));
  }
}

TEST_CASE("availability follows from any basis, and stalls and slow parts count") {
  // Crashes by the calendar and by the running hours, one stall: simulated hour by hour of events.
  JobReliability job = of_nodes(1, 1 / 40.0);
  FailureRate wall = rate_of(FailureUnit::job, 1 / 25.0);
  wall.basis = RateBasis::wall;
  wall.detect = hours(0.7);
  FailureRate stall = rate_of(FailureUnit::job, 1 / 10.0);
  stall.action = FailureAction::stall;
  stall.repair = hours(0.2);
  job.rates.components.push_back(wall);
  job.rates.components.push_back(stall);
  job.restart = hours(0.5);
  job.checkpoint = {.interval = hours(1), .stall = hours(0.05)};

  std::mt19937_64 random(7);
  std::exponential_distribution<double> unit(1);
  double time = 0, kept = 0, since = 0;  // hours, useful hours, hours of the running period
  double active_left = 40 * unit(random), stall_left = 10 * unit(random);
  double wall_at = 25 * unit(random);
  const auto crash = [&](double recovery) {
    since = 0;
    time += recovery;
    while (wall_at <= time) wall_at += 25 * unit(random);
  };
  // A failure by the calendar that falls into a recovery changes nothing: it is counted, and the
  // job is down already. The model counts it as one more recovery, so it is left out here too:
  // its share is wall rate × recovery, 5 %, hence the wide bound.
  while (time < 400'000) {
    const double until = std::min({active_left, stall_left, wall_at - time, 1.05 - since});
    time += until;
    since += until;
    active_left -= until;
    stall_left -= until;
    if (since >= 1.05 - 1e-12) {
      kept += 1;
      since = 0;
    } else if (active_left <= 0) {
      active_left = 40 * unit(random);
      crash(0.5);
    } else if (stall_left <= 0) {
      stall_left = 10 * unit(random);
      time += 0.2;
      while (wall_at <= time) wall_at += 25 * unit(random);
    } else {
      wall_at = time + 25 * unit(random);
      crash(1.2);
    }
  }
  CHECK(availability(job) == near(kept / time, 0.01));
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
  const SpareOutlook visits =
      spare_outlook({.spares = kSpares, .visits = hours(168)}, kNodes - kSpares, r);
  CHECK(visits.wait.si() / 3600 == near(waited / (kTrials - ok), 0.03));

  // One crew, 30 h a repair: the share of the job's failures that find no spare.
  std::exponential_distribution<double> unit(1);
  int out = 0, failures = 0, none_left = 0;
  double waiting = 0, all = 0;
  for (int event = 0; event < 2'000'000; ++event) {
    const double fail = out > kSpares ? 0 : (kNodes - out) * rate;
    const double repair = out > 0 ? 1 / 30.0 : 0;
    const double step = unit(random) / (fail + repair);
    all += step;
    if (out > kSpares) waiting += step;
    if (std::uniform_real_distribution<double>(0, fail + repair)(random) < fail) {
      const double of_job = real(kNodes - kSpares) / (kNodes - out);
      if (std::uniform_real_distribution<double>(0, 1)(random) < of_job) ++failures;
      if (++out > kSpares) ++none_left;
    } else {
      --out;
    }
  }
  const SparePolicy crew{.spares = kSpares, .repair = hours(30), .crews = 1};
  const SpareOutlook outlook = spare_outlook(crew, kNodes - kSpares, r);
  CHECK(outlook.p_ok == near(1 - waiting / all, 0.02));
  CHECK(outlook.p_wait == near(none_left / double(failures), 0.03));
  CHECK(outlook.wait == hours(30));
}

namespace {

/// Hours: share of the calendar in which the job runs, with spares that fail as well. While it
/// waits for a node nothing fails; by the calendar, parts fail during the recovery too.
double running_share(int spares, bool by_calendar, double recovery, std::mt19937_64& random) {
  constexpr int kNodes = 300;
  constexpr double kRate = 1 / 8.3 / kNodes, kRepair = 24;
  std::exponential_distribution<double> unit(1);
  double all = 0, running = 0, recovering = 0;
  int out = 0;
  for (int event = 0; event < 400'000; ++event) {
    const bool waits = out > spares;
    const bool fails = !waits && (by_calendar || recovering <= 0);
    const double crash = fails ? kNodes * kRate : 0;
    const double spare = fails ? (spares - out) * kRate : 0;
    const double repair = out / kRepair;
    const double sum = crash + spare + repair;
    double step = sum > 0 ? unit(random) / sum : 1e9;
    const bool recovers = !waits && recovering > 0;
    if (recovers && step > recovering) {  // exponential times have no memory
      all += recovering;
      recovering = 0;
      continue;
    }
    all += step;
    if (recovers) recovering -= step;
    if (!waits && !recovers) running += step;
    const double drawn = std::uniform_real_distribution<double>(0, sum)(random);
    if (drawn < crash) {
      ++out;
      recovering += recovery;
    } else if (drawn < crash + spare) {
      ++out;
    } else {
      --out;
    }
  }
  return running / all;
}

}  // namespace

TEST_CASE("waiting for a node: nothing fails meanwhile, on either basis") {
  std::mt19937_64 random(11);
  for (const bool by_calendar : {false, true}) {
    for (const int spares : {0, 1, 2, 5}) {
      for (const double recovery : {0.0, 0.5, 2.0}) {
        CAPTURE(by_calendar);
        CAPTURE(spares);
        CAPTURE(recovery);
        JobReliability job = of_nodes(300, 1 / 8.3 / 300);
        job.rates.components.front().needs_spare = true;
        job.rates.components.front().basis = by_calendar ? RateBasis::wall : RateBasis::active;
        job.restart = hours(recovery);
        job.spares = SparePolicy{.spares = spares, .repair = hours(24)};
        const auto load = failure_load(job, exposures(job));
        REQUIRE(load);
        const double simulated = running_share(spares, by_calendar, recovery, random);
        CHECK(1 / load->wall_per_active == near(simulated, recovery > 1 ? 0.06 : 0.03));
      }
    }
  }
}
