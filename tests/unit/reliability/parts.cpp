// The pieces: intervals, binomial tails, trays, rates, dual-ToR, steps to improve, quantiles.
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
  CHECK(part_out_share(exposed[0].rate, hours(24)) == near(1 - std::exp(-2e-3 * 24), 1e-12));
  CHECK(exposed[1].action == FailureAction::crash);
  CHECK(exposed[1].rate.si() * 3600 == near(2 * 1000 * 1e-12 * 24 / (1 + 24e-6), 1e-12));
  CHECK(exposed[2].rate == 1000e-6 * units::per_hour);
  // Swapped hosts pause the job for a checkpoint and a restart, and need spares.
  job.link_loss = LinkLoss::swap;
  job.checkpoint.stall = Seconds{20};
  job.restart = Seconds{100};
  job.spares = SparePolicy{.spares = 3, .repair = hours(24)};
  const Exposure swapped = exposures(job).front();
  CHECK(swapped.action == FailureAction::stall);
  CHECK(swapped.pause == Seconds{120});
  CHECK(swapped.needs_spare);
  CHECK(swapped.swapped);
  job.optical = OpticalSwap{.reconfigure = Seconds{30}};
  CHECK(exposures(job).front().pause == Seconds{150});
}

// 1,000 pairs of links, 128 of them broken by a ToR that is down; of 20 pairs of ToRs one is
// broken.
TEST_CASE("dual-ToR: what is left of a pair that is down for good is single") {
  JobReliability job{.rates = {.components = {rate_of(FailureUnit::link, 1e-6),
                                              rate_of(FailureUnit::network_switch, 1e-5)}},
                     .counts = {.gpus = 1000, .links = 1000, .switches = 20, .broken = {128, 1, 0}},
                     .access = AccessLinks::dual_tor};
  for (FailureRate& rate : job.rates.components) rate.repair = hours(24);
  const auto exposed = exposures(job);
  REQUIRE(exposed.size() == 6);
  CHECK(exposed[0].action == FailureAction::crash);
  CHECK(exposed[0].rate.si() * 3600 == near(128e-6, 1e-12));
  CHECK(exposed[1].action == FailureAction::degrade);
  CHECK(exposed[1].rate.si() * 3600 == near(2 * 872e-6, 1e-12));
  CHECK(exposed[2].rate.si() * 3600 == near(2 * 872 * 1e-12 * 24 / (1 + 24e-6), 1e-12));
  CHECK(exposed[3].action == FailureAction::crash);
  CHECK(exposed[3].rate.si() * 3600 == near(1e-5, 1e-12));
  CHECK(exposed[4].rate.si() * 3600 == near(2 * 19e-5, 1e-12));

  // A card's link: its other ToR is one more that nothing may happen to, though both of it work.
  job.counts.broken = {.links = 1, .needed_switches = 1};
  const auto one = exposures(job);
  CHECK(one[0].rate.si() * 3600 == near(1e-6, 1e-12));
  CHECK(one[3].rate.si() * 3600 == near(1e-5, 1e-12));
  CHECK(one[4].rate.si() * 3600 == near((2 * 20 - 1) * 1e-5, 1e-12));
  CHECK(one[5].rate.si() * 3600 == near(2 * 19 * 1e-10 * 24 / (1 + 24e-5), 1e-12));

  // Without a plane it is as with one ToR.
  JobReliability single = job;
  single.counts.broken = {};
  single.access = AccessLinks::single_tor;
  job.counts.broken = {.links = 1000, .switches = 20};
  const auto alone = exposures(single), plane = exposures(job);
  REQUIRE(plane.size() == alone.size());
  for (std::size_t i = 0; i < plane.size(); ++i) {
    CHECK(plane[i].action == alone[i].action);
    CHECK(plane[i].rate.si() == near(alone[i].rate.si(), 1e-12));
  }
  CHECK(goodput(job).availability == near(goodput(single).availability, 1e-12));
}

TEST_CASE("hosts that can work on: by brute force, and without spares as if never swapped") {
  // Two of three units at work, one spare, each out 0.2 of the time it is not: Bin(3, 1/6).
  const SparePolicy policy{.spares = 1, .repair = hours(10)};
  const SpareLosses links{.rate = 0.02 * units::per_hour, .repair = hours(10)};
  const double q = 0.2 / 1.2, none = std::pow(1 - q, 3), one = 3 * q * std::pow(1 - q, 2);
  const SwapOutlook swap = swap_outlook(policy, 2, {}, links, 1);
  CHECK(swap.slowed == near(1 - none - one, 1e-12));
  CHECK(swap.singles == near(none + one / 2, 1e-12));
  // Half of what is out crashes: it takes the spare first.
  const SpareLosses crashes{.rate = 0.01 * units::per_hour, .repair = hours(10)};
  const double c = 0.1 / 1.1;
  const double can_run = std::pow(1 - c, 3) + 3 * c * std::pow(1 - c, 2);
  CHECK(swap_outlook(policy, 2, crashes, links, 1).slowed ==
        near(1 - (none + one) / can_run, 1e-12));
  // A group larger than the spares is never swapped.
  const SpareLosses group{.repair = hours(10), .groups = {2, 0.01 * units::per_hour, 2, hours(10)}};
  CHECK(swap_outlook(policy, 2, {}, group, 1).groups == 0);
  CHECK(swap_outlook(policy, 2, {}, group, 1).slowed == near(1 - std::pow(1 - c, 2), 1e-12));

  JobReliability job{.rates = {.components = {rate_of(FailureUnit::link, 1e-5)}},
                     .counts = {.gpus = 800, .nics = 800, .nodes = 100, .links = 800},
                     .access = AccessLinks::dual_tor,
                     .checkpoint = {.interval = hours(1)},
                     .spares = SparePolicy{.repair = hours(24), .unit_gpus = 8}};
  job.rates.components.front().repair = hours(24);
  job.rates.components.front().degraded_speed = 0.9;
  job.checkpoint.stall = hours(1);
  const Goodput slow = goodput(job);
  job.link_loss = LinkLoss::swap;
  CHECK(goodput(job).availability == near(slow.availability, 2e-3));
  job.spares->visits = hours(24);
  const FailureLoad visits = failure_load(job, exposures(job));
  CHECK(visits.unswapped > 0.15);
  CHECK(visits.unswapped < 0.25);
  CHECK(visits.stalled == 0);
}

TEST_CASE("where there are spares, a single link holds its host and a switch all of its hosts") {
  JobReliability job{.rates = {.components = {rate_of(FailureUnit::link, 1e-6),
                                              rate_of(FailureUnit::network_switch, 1e-6)}},
                     .counts = {.gpus = 64, .nodes = 8, .links = 64, .switches = 2}};
  CHECK_FALSE(exposures(job)[0].needs_spare);
  job.rates.components[1].repair = hours(4);
  job.spares = SparePolicy{.spares = 3, .repair = hours(24), .unit_gpus = 8, .switch_hosts = 4};
  CHECK(exposures(job)[0].needs_spare);
  CHECK(exposures(job)[1].of_switch);
  const SparePool pool{.active = 8,
                       .spares = 3,
                       .rate = 8e-6 * units::per_hour,
                       .repair = hours(24),
                       .groups = {2, 1e-6 * units::per_hour, 4, hours(4)}};
  const FailureLoad load = failure_load(job, exposures(job));
  CHECK(load.waiting == near(waits_while_running(pool, {load.rate, {}, 0}).waiting, 1e-12));
}

TEST_CASE("a power feed takes the nodes of its row, beside a switch that takes its own") {
  JobReliability job{.rates = {.components = {rate_of(FailureUnit::feed, 1e-5)}},
                     .counts = {.gpus = 640, .nodes = 80, .feeds = 8}};
  job.rates.components[0].repair = hours(6);
  CHECK(exposures(job)[0].rate.si() * 3600 == near(8e-5, 1e-12));
  CHECK_FALSE(exposures(job)[0].of_feed);  // a spare is always at hand
  job.spares = SparePolicy{.spares = 12, .repair = hours(24), .unit_gpus = 8, .feed_hosts = 10};
  CHECK(exposures(job)[0].of_feed);
  CHECK_FALSE(exposures(job)[0].needs_spare);
  SparePool pool{.active = 80,
                 .spares = 12,
                 .repair = hours(24),
                 .groups = {8, 1e-5 * units::per_hour, 10, hours(6)}};
  FailureLoad load = failure_load(job, exposures(job));
  CHECK(load.waiting == near(waits_while_running(pool, {load.rate, {}, 0}).waiting, 1e-12));
  // As many of another kind: groups of a mean size.
  job.rates.components.push_back(rate_of(FailureUnit::network_switch, 1e-5));
  job.rates.components[1].repair = hours(2);
  job.counts.switches = 8;
  job.spares->switch_hosts = 4;
  pool.groups = {16, 1e-5 * units::per_hour, 7, hours(4)};
  load = failure_load(job, exposures(job));
  CHECK(load.waiting == near(waits_while_running(pool, {load.rate, {}, 0}).waiting, 1e-12));
}

TEST_CASE("feeds take spares from hosts that lost one of two links: these work on without") {
  JobReliability job{
      .rates = {.components = {rate_of(FailureUnit::feed, 1e-5), rate_of(FailureUnit::link, 1e-4)}},
      .counts = {.gpus = 640, .nodes = 80, .links = 640, .feeds = 8},
      .access = AccessLinks::dual_tor,
      .hazard = DownHazard::all,
      .link_loss = LinkLoss::swap,
      .spares = SparePolicy{.spares = 12, .repair = hours(24), .unit_gpus = 8, .feed_hosts = 10}};
  job.rates.components[0].repair = hours(6);
  job.rates.components[1].repair = hours(24);
  job.rates.components[1].degraded_speed = 0.5;
  const auto exposed = exposures(job);
  REQUIRE(exposed.size() == 3);  // feeds, one of a pair, both
  const SparePool crashing{.active = 80,
                           .spares = 12,
                           .rate = exposed[2].rate / 80,
                           .repair = hours(24),
                           .groups = {8, 1e-5 * units::per_hour, 10, hours(6)}};
  SparePool all = crashing;
  all.rate = (exposed[1].rate + exposed[2].rate) / 80;
  const FailureLoad load = failure_load(job, exposed);
  CHECK(load.unswapped == near(1 - out_at_most(all, 12) / out_at_most(crashing, 12), 1e-9));
  CHECK(load.unswapped > 1e-4);
  job.rates.components.erase(job.rates.components.begin());
  CHECK(failure_load(job, exposures(job)).unswapped < load.unswapped);
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
