// The pieces: intervals, gamma distribution, spares, dual-ToR, steps to improve.
#include <doctest/doctest.h>

#include <cmath>

#include "planner/reliability/checkpoint.hpp"
#include "planner/reliability/gamma.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/improve.hpp"
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

TEST_CASE("quantiles of the gamma distribution") {
  for (const double p : {0.001, 0.1, 0.5, 0.95, 0.999}) {
    CHECK(gamma_quantile(1, p) == near(-std::log1p(-p), 1e-12));
  }
  CHECK(gamma_quantile(0.5, 0.95) == near(3.841458820694124 / 2, 1e-12));  // chi squared, 1
  CHECK(gamma_quantile(10, 0.95) == near(31.410432844230918 / 2, 1e-12));  // chi squared, 20
  CHECK(gamma_quantile(1e-12, 0.95) == 0);
  // The normal form takes over without a step, and has the normal quantile 1.96 far out.
  CHECK(gamma_quantile(1.000001e6, 0.95) / gamma_quantile(0.999999e6, 0.95) ==
        near(1.000002, 1e-8));
  CHECK((gamma_quantile(1e15, 0.975) - 1e15) / std::sqrt(1e15) == near(1.959963984540054, 1e-6));
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

TEST_CASE("crews: one repair at a time, and as many as needed") {
  // M/M/1 with one spare of two nodes: states 0, 1, 2 weigh 1, 2a, 2a².
  const double a = 0.3;
  const PerSecond rate = a / 10 * units::per_hour;
  CHECK(spares_suffice_with_repair(2, 1, rate, hours(10), 1) ==
        near(1 - 2 * a * a / (1 + 2 * a + 2 * a * a), 1e-12));
  CHECK(spares_suffice_with_repair(2, 1, rate, hours(10), 2) ==
        near(1 - a * a / (1 + 2 * a + a * a), 1e-12));
  // A million nodes and spares neither overflow nor stop.
  const double p = spares_suffice_with_repair(2'000'000, 1'000'000, rate, hours(1000), 3);
  CHECK(p >= 0);
  CHECK(p < 1e-3);
}

TEST_CASE("pools: sixteen of 8 spares against one of 128") {
  const PerSecond llama{419.0 / 54 / 2048 / 86400};
  const SparePolicy pools{.spares = 128, .pools = 16, .visits = 7 * units::day};
  CHECK(std::abs(spare_outlook(pools, 2048, llama).p_ok - 0.853) < 0.001);
  CHECK(spare_outlook({.spares = 128, .visits = 7 * units::day}, 2048, llama).p_ok > 0.99999);
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

TEST_CASE("dual-ToR: a failed link slows the job, two of a pair crash it") {
  JobReliability job{
      .rates = {.components = {rate_of(FailureUnit::link, 1e-6), rate_of(FailureUnit::gpu, 1e-6)}},
      .counts = {.gpus = 1000, .links = 1000}};
  job.rates.components[0].repair = hours(24);
  job.rates.components[0].degraded_speed = 0.9;
  job.access = AccessLinks::dual_tor;
  const auto exposed = exposures(job);
  REQUIRE(exposed.size() == 3);
  CHECK(exposed[0].action == FailureAction::degrade);
  CHECK(exposed[0].rate == 2000e-6 * units::per_hour);
  CHECK(exposed[0].degraded_share() == near(1 - std::exp(-2e-3 * 24), 1e-12));
  CHECK(exposed[1].action == FailureAction::crash);
  CHECK(exposed[1].rate.si() * 3600 == near(2 * 1000 * 1e-12 * 24, 1e-12));
  CHECK(exposed[2].rate == 1000e-6 * units::per_hour);
}

TEST_CASE("the next second: of the stall at 1/tau, of the recovery at 1/(M + R)") {
  JobReliability job = of_nodes(2048, 6.5e-3 / 24);
  job.checkpoint.stall = Seconds{20};
  job.restart = minutes(5);
  job.rates.components.front().detect = Seconds{60};
  const auto steps = improvements(job);
  REQUIRE(steps.size() == 3);
  const Goodput now = goodput_of(job);
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

TEST_CASE("unknown times count as nothing, a job without parts never fails") {
  CHECK(availability(JobReliability{}) == 1);
  JobReliability job = of_nodes(0, 1);
  CHECK(availability(job) == 1);
  job.spares = SparePolicy{.spares = 3, .repair = hours(1)};
  CHECK(availability(job) == 1);
}
