// What access links, their switches and power feeds take with them, alone and of two per card.
#include <doctest/doctest.h>

#include <cmath>

#include "planner/reliability/degraded.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/spares.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::testing;

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
