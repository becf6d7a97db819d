// The pieces: intervals, binomial tails, trays, rates, steps to improve, quantiles.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/degraded.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/improve.hpp"
#include "planner/reliability/outcome_law.hpp"
#include "planner/reliability/rate_basis.hpp"
#include "planner/reliability/spares.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the optimal interval solves its own equation at every ratio of d to M") {
  // y + ln(1 - y) = -d/M with y = tau/M; by the series where that cancels.
  const Seconds M = hours(10);
  for (double share = 1e-14; share < 100; share *= 3) {
    CAPTURE(share);
    const double y = optimal_interval(share * M, M) / M;
    CHECK(y > 0);
    CHECK(y <= 1);
    if (share > 1e-4 && share < 20) {
      CHECK(y + std::log1p(-y) == near(-share, 1e-9));
    }
    if (share < 1e-10) CHECK(y == near(std::sqrt(2 * share), 1e-4));
  }
  // 1 + W0(-e^-2) and 1 + W0(-e^-1.5), Lambert's W by Mathematica's ProductLog.
  CHECK(optimal_interval(M, M) / M == near(1 - 0.158594339563039, 1e-12));
  // Both branches meet.
  CHECK(optimal_interval(4.9e-7 * M, M) / optimal_interval(5.1e-7 * M, M) ==
        near(std::sqrt(4.9 / 5.1), 1e-4));
  CHECK(optimal_interval(Seconds{}, M) == Seconds{});
}

TEST_CASE("Young and Daly") {
  // Llama 3's 3.093 h between failures, checkpoints of 20 s: 11.1 minutes.
  CHECK(young_interval(Seconds{20}, hours(3.093)).si() / 60 == near(11.12, 0.001));
  CHECK(daly_interval(hours(2), hours(1)) == hours(1));
}

TEST_CASE("binomial tails from both sides") {
  CHECK(binomial_cdf(0, 10, 0.1) == near(std::pow(0.9, 10), 1e-12));
  CHECK(binomial_cdf(9, 10, 0.9) == near(1 - std::pow(0.9, 10), 1e-12));
  CHECK(binomial_cdf(5, 10, 0.5) == near(638.0 / 1024, 1e-12));
  CHECK(binomial_cdf(4, 10, 0.5) == near(386.0 / 1024, 1e-12));
  CHECK(binomial_cdf(10, 10, 0.5) == 1);
  // By 40-digit sums of the terms: a million nodes lose no digits.
  CHECK(binomial_cdf(100, 1'000'000, 1e-4) == near(0.5265621985632191, 1e-12));
  CHECK(binomial_cdf(60, 1'000'000, 1e-4) == near(1.080327967830556e-05, 1e-12));
  CHECK(binomial_cdf(3, 10, 1) == 0);
  CHECK(binomial_cdf(3, 10, 0) == 1);
}

TEST_CASE("trays: as one unit they are out as often as more of them than are spare") {
  const PerSecond tray = 8.4e-5 * units::per_hour;
  const double load = 8.4e-5 * 24, q = load / (1 + load);
  for (const std::int64_t spare : {0, 1, 2, 5}) {
    const UnitOutages unit = unit_outages(18, spare, tray, hours(24));
    const double out = unit.rate * unit.repair;
    const double short_of = 1 - binomial_cdf(spare, 18, q);
    CHECK(std::abs(out / (1 + out) - short_of) < 1e-14);
  }
  CHECK(unit_outages(18, 0, tray, hours(24)).rate.si() == near(18 * tray.si(), 1e-12));
  CHECK(unit_outages(18, 18, tray, hours(24)).rate == PerSecond{});
}

TEST_CASE("rates of nodes of one size apply to nodes of another") {
  JobReliability job = of_nodes(128, 1e-4);
  job.counts.gpus = 128 * 72;
  CHECK(exposures(job).front().rate.si() * 3600 == near(128 * 1e-4, 1e-12));
  job.rates.gpus_per_node = 8;
  CHECK(exposures(job).front().rate.si() * 3600 == near(1152 * 1e-4, 1e-12));
  job.counts.gpus = 4;  // of such a node
  CHECK(exposures(job).front().rate.si() * 3600 == near(1e-4, 1e-12));
}

TEST_CASE("the next second: of the stall at 1/tau, of the recovery at 1/(M + R)") {
  JobReliability job = of_nodes(2048, 6.5e-3 / 24);
  job.checkpoint.stall = Seconds{20};
  job.restart = minutes(5);
  job.rates.components.front().detect = Seconds{60};
  const auto steps = improvements(job);
  REQUIRE(steps.size() == 3);
  const Goodput now = goodput(job);
  const double M = 24 / (2048 * 6.5e-3) * 3600, R = 360;
  CHECK(steps[0].step == Step::checkpoint_stall);
  // d ln A/dd = -1/(M·(1 - e^(-s/M))) at the optimum, where tau itself counts for nothing.
  const double s = now.interval->si() + 20;
  CHECK(steps[0].per_second == near(now.availability / (M * -std::expm1(-s / M)), 1e-5));
  CHECK(steps[1].step == Step::restart);  // as much a second as detection, but more of it
  CHECK(steps[1].per_second == near(now.availability / (M + R), 1e-5));
  CHECK(steps[2].step == Step::detect);
  CHECK(steps[2].takes.si() == near(60, 1e-12));
}

TEST_CASE("a checkpoint is as durable as storage is fast") {
  const auto times = [](std::optional<double> stall, std::optional<bool> synchronous) {
    const auto given = stall ? std::optional(Seconds{*stall}) : std::nullopt;
    return checkpoint_times(30 * units::GB, 0.1 * units::GBps, given, synchronous);
  };
  CHECK(times({}, {}) == CheckpointTimes{.stall = Seconds{300}});
  CHECK(times(400, {}) == CheckpointTimes{.stall = Seconds{400}});
  CHECK(times(100, {}) ==
        CheckpointTimes{.stall = Seconds{100}, .durable = Seconds{200}, .asynchronous = true});
  CHECK(times(100, true) == CheckpointTimes{.stall = Seconds{300}});
  CHECK(times({}, false) == CheckpointTimes{.durable = Seconds{300}, .asynchronous = true});
}

TEST_CASE("a job's calendar contains its own downtime, once") {
  FailureRates rates{.components = {rate_of(FailureUnit::gpu, 1e-4)}};
  FailureRate& all = rates.components.front();
  CHECK(running_share(rates) == 1);
  all.basis = RateBasis::part_calendar;
  CHECK(running_share(rates) == 1);
  CHECK(active_rate(all, 0.5) == all.rate);
  all.basis = RateBasis::job_calendar;
  all.observed_units = 1000;
  all.detect = hours(0.5);
  all.diagnose = hours(1);
  rates.restart = hours(0.5);
  CHECK(running_share(rates) == near(1 - 0.1 * 2));
  CHECK(active_rate(all, 0.8) / all.rate == near(1 / 0.8));
  rates.restart = hours(9);
  CHECK(running_share(rates) < 0);
  rates.running_share = 0.9;
  CHECK(running_share(rates) == 0.9);
  // Older files: the unit tells which calendar it was.
  FailureRate wall = rate_of(FailureUnit::job, 1e-2);
  wall.basis = RateBasis::wall;
  CHECK(of_job_calendar(wall));
  wall.unit = FailureUnit::gpu;
  CHECK_FALSE(of_job_calendar(wall));
}

TEST_CASE("observed recoveries have the repeats in them, undisturbed ones give them back") {
  const CrashClass observed{0.1 * units::per_hour, hours(2), hours(0.5)};
  const double M = 10, K = 2.5;
  CHECK(undisturbed_share(std::array{observed}, RecoveryMode::merge) == 1);
  CHECK(undisturbed_share(std::array{observed}, RecoveryMode::restart) ==
        near(M * std::log1p(K / M) / K, 1e-12));
  const double share = undisturbed_share(std::array{observed}, RecoveryMode::phased);
  const CrashClass left = crash_class(observed.rate, share * observed.cured,
                                      share * observed.redone, RecoveryMode::phased);
  CHECK(downtime(std::array{left}).mean.in(units::hour) == near(K, 1e-12));
}

// 16 hosts, two of them out on average: of 128 groups a host takes eight.
TEST_CASE("a host of several data-parallel groups takes all of them") {
  JobReliability job{.rates = {.components = {rate_of(FailureUnit::node, 1e-2)}},
                     .counts = {.gpus = 128, .nodes = 16},
                     .shrink = 16};
  job.rates.components.front().needs_spare = true;
  job.rates.components.front().repair = hours(12.5);
  const double by_hosts = failure_load(job, exposures(job)).speed;
  CHECK(by_hosts == near(1 - 2.0 / 16, 1e-3));
  job.shrink = 128;
  CHECK(failure_load(job, exposures(job)).speed == by_hosts);
  job.shrink = 4;  // of four hosts each, one of which stops all
  CHECK(failure_load(job, exposures(job)).speed < by_hosts);
}

TEST_CASE("a job that loses nothing shrinks by nothing") {
  CHECK(shrunk_speed(PerSecond{}, hours(1), 8) == 1);
}

TEST_CASE("quantiles: a split log-normal alone is itself, and the median of a product stays") {
  const LogSpread spread = log_spread({0.85, 1, 1.25});
  CHECK(spread.above == near(std::log(1.25) / 1.2815515655446004, 1e-12));
  const OutcomeLaw law = OutcomeLaw(1).times(spread);
  CHECK(law.quantile(0.1) == near(0.85, 1e-8));
  CHECK(law.quantile(0.5) == near(1, 1e-8));
  CHECK(law.quantile(0.9) == near(1.25, 1e-8));
  CHECK(law.share_within(1.25) == near(0.9, 1e-8));
  // Without any spread there is one value.
  CHECK(OutcomeLaw(5).quantile(0.9) == near(5, 1e-6));
  // ln(rates) normal, outcome their square: itself normal.
  constexpr double kLeast = 0.01;
  const auto excess = [](double z, double, const std::vector<double>& shares) {
    return std::vector<double>(shares.size(), std::exp(2 * 0.2 * z) / kLeast - 1);
  };
  const OutcomeLaw square = outcome_law(kLeast, excess, 0.2, 0);
  CHECK(square.quantile(0.9) == near(std::exp(2 * 0.2 * 1.2815515655446004), 0.01));
}

TEST_CASE("one factor that is not known is looked at closely where what it comes to bends") {
  int looked = 0;
  constexpr double kLeast = 0.01, kUnknown = 0.7;
  // Its powers are lines; what it comes to beyond a sharp turn is a thousand times as much.
  const auto quantile_of = [&](double turn, double p) {
    looked = 0;
    const auto excess = [&](double z, double, const std::vector<double>& shares) {
      ++looked;
      const double f = std::exp(kUnknown * z);
      const double more = 1 / (1 + std::pow(turn / f, 8));
      return std::vector<double>(shares.size(), f / kLeast * (1 + 1000 * more));
    };
    return outcome_law(kLeast, excess, kUnknown, 0).quantile(p);
  };
  const auto exact = [&](double turn, double z) {
    const double f = std::exp(kUnknown * z);
    return kLeast + f * (1 + 1000 / (1 + std::pow(turn / f, 8)));
  };
  for (const double z : {-1.2815515655446004, 0.0, 1.2815515655446004, 1.6448536269514722}) {
    const double p = 0.5 * std::erfc(-z / std::sqrt(2));
    CHECK(quantile_of(1e9, p) == near(exact(1e9, z), 0.005));
    CHECK(looked == 7);
    for (const double turn : {1.4, 1.7, 2.2}) {
      CHECK(quantile_of(turn, p) == near(exact(turn, z), 0.05));
      CHECK(looked < 29);
    }
  }
}

TEST_CASE("ends of what is not known are no better where more is lost, whatever the cells") {
  // What is lost to failures ranges over more and more, past powers of two of the logarithm at
  // which cells are half as many; a tenth of all cases lie in a few of them.
  constexpr double kStalls = 0.09, kUnknown = 1.08;
  for (const double p : {0.1, 0.5, 0.9}) {
    CAPTURE(p);
    double before = 0;
    for (double lost = 1e-5; lost < 0.1; lost *= 1.01) {
      CAPTURE(lost);
      const auto excess = [&](double z, double y, const std::vector<double>& shares) {
        return std::vector<double>(shares.size(), kStalls + lost * std::exp(kUnknown * (z + y)));
      };
      const double now = outcome_law(1, excess, kUnknown, kUnknown).quantile(p);
      CHECK(now >= before * (1 - 1e-6));
      before = now;
    }
  }
}

TEST_CASE("unknown times count as nothing, a job without parts never fails") {
  CHECK(availability(JobReliability{}) == 1);
  JobReliability job = of_nodes(0, 1);
  CHECK(availability(job) == 1);
  job.spares = SparePolicy{.spares = 3, .repair = hours(1)};
  CHECK(availability(job) == 1);
}
