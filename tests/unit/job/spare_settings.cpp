// Spares of a job: units, trays, hosts that work on without one, and jobs that need none.
#include "planner/job/spare_settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "planner/core/diagnostic.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/reliability.hpp"
#include "support/failing_jobs.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

TEST_CASE(
    "servers and swap units that are larger than the job are refused, a rack in part is not") {
  const auto refusal = [](const ReliabilitySettings& asked) -> std::string {
    try {
      check_unit_sizes(asked, 64);
    } catch (const UsageError& error) {
      return error.diagnostics().front().message + "; " + error.diagnostics().front().hint;
    }
    return "";
  };
  CHECK(refusal({.swap_unit = 72}) ==
        "--swap-unit 72: the job has 64 GPUs; give --swap-unit up to 64, or more --gpus");
  CHECK(refusal({.gpus_per_node = 72}) ==
        "--gpus-per-node 72: the job has 64 GPUs; give --gpus-per-node up to 64, or more --gpus");
  CHECK(refusal({.gpus_per_node = 64, .swap_unit = 64}).empty());
}

TEST_CASE(
    "a job that goes on without the groups that lost a host, and pays two restarts for each") {
  FailureRate node = crash(FailureUnit::node, 1e-3);
  node.needs_spare = true;
  const FailureRates rates = rates_of({node});
  const ReliabilityResult shrunk = of({.shrink = 16, .repair = 24 * units::hour}, rates);
  const double out = 64 * 1e-3 * 24;
  CHECK(shrunk.load.speed == near(1 - out / 16, 1e-6));
  CHECK(shrunk.load.stalled * 3600 ==
        near(64e-3 * (shrunk.job.checkpoint.stall + shrunk.job.restart).si()));
  CHECK(shrunk.load.rate == of({}, rates).load.rate);
  const auto refusal = [&](const ReliabilitySettings& asked) -> std::string {
    try {
      of(asked, rates);
    } catch (const UsageError& error) {
      return error.diagnostics().front().message;
    }
    return "";
  };
  CHECK(refusal({.spares = 1, .shrink = 4, .repair = 24 * units::hour}) ==
        "--shrink excludes --spares");
  CHECK(refusal({.shrink = 4}) == "--shrink needs the time until a failed node is back");
  CHECK(refusal({.shrink = 513, .repair = 24 * units::hour}) ==
        "--shrink 513: the job has 512 GPUs");
}

TEST_CASE("spare trays save waits; spares are units of GPUs and paid as such") {
  FailureRates rates = rates_of({crash(FailureUnit::gpu, 1e-5)});
  rates.components.front().needs_spare = true;
  ReliabilitySettings asked{.gpus_per_node = 72, .spares = 2, .repair = 24 * units::hour};
  asked.swap_unit = 72;
  const ReliabilityResult racks = of(asked, rates, 7200);
  CHECK(racks.job.spares->units(7200) == 100);
  CHECK(spare_gpus(racks) == 2 * 72);
  asked.tray = 4;
  asked.spare_trays = 2;
  const ReliabilityResult trays = of(asked, rates, 6400);  // 64 of 72
  CHECK(trays.job.spares->units(6400) == 100);
  CHECK(spare_gpus(trays) == 2 * 72 + 100 * 8);
  CHECK(*trays.load.p_spares_ok > *racks.load.p_spares_ok);
  REQUIRE(racks.by_hazard);
  CHECK((*racks.by_hazard)[1] <= (*racks.by_hazard)[0]);
  CHECK(in_domains({.spares = 1}, 72, 4).swap_unit == 72);
  CHECK_FALSE(in_domains({.spares = 1}, 8, std::nullopt).swap_unit);
}

TEST_CASE("optical switches swap trays, where nobody says what is swapped") {
  const Seconds swap = 30 * units::second;
  CHECK(in_domains({.spares = 1, .reconfigure = swap}, 72, 4).swap_unit == 4);
  // A domain of servers of 8 swaps servers; without spares nothing is.
  CHECK_FALSE(in_domains({.spares = 1, .reconfigure = swap}, 256, std::nullopt).swap_unit);
  CHECK_FALSE(in_domains({.reconfigure = swap}, 72, 4).swap_unit);
  CHECK(in_domains({.spares = 1, .swap_unit = 72, .reconfigure = swap}, 72, 4).swap_unit == 72);
  // Trays that are spare inside a domain are of that domain.
  const ReliabilitySettings inside{
      .gpus_per_node = 8, .spares = 1, .tray = 4, .spare_trays = 1, .reconfigure = swap};
  CHECK(in_domains(inside, 72, 4).swap_unit == 72);
  // What a job leaves idle is spare for all: 64 of 72 in each of 10 racks of 12.
  const GpuSupply supply{.bought = 12 * 72, .hb_domain = 72, .gpus_per_tray = 4};
  const GpuUse use{.gpus = 640, .as_one = 64, .per_domain = 64, .domains = 10};
  const ReliabilitySettings asked{.spares = 8, .reconfigure = swap};
  const ReliabilitySettings all = with_idle_trays(asked, 72, 64, 4, 640);
  CHECK(all.swap_unit == 4);
  CHECK(all.spares == 8 + 10 * 2);
  CHECK(with_idle_trays({.spares = 9, .spare_pools = 3, .reconfigure = swap}, 72, 64, 4, 640)
            .spares == 27);                                                               // of 29
  CHECK(with_idle_trays({.spares = 1, .reconfigure = swap}, 72, 4, 4, 40).spares == 10);  // all
  CHECK(with_idle_trays({.reconfigure = swap}, 72, 64, 4, 640) ==
        ReliabilitySettings{.reconfigure = swap});
  CHECK(standing_by(in_domains(asked, 64, 4), supply, use) == 2 * 72 + 10 * 8);
  CHECK(standing_by(in_domains({.spares = 8}, 64, 4), supply, use) == 2 * 72);
  ReliabilitySettings of_three = asked;
  of_three.swap_unit = 3;
  CHECK(standing_by(of_three, supply, use) == 2 * 72 + 10 * 6);
}

TEST_CASE("a job counts on the spares that are bought, where somebody says when parts are back") {
  FailureRates rates{.components = {{.component = "node",
                                     .unit = FailureUnit::node,
                                     .rate = 1e-4 * units::per_hour,
                                     .action = FailureAction::crash,
                                     .needs_spare = true}}};
  const StandingSpares eight{.gpus = 64, .node_gpus = 8, .hb_domain = 8};
  CHECK_FALSE(with_standing_spares({}, rates, eight, 1024).spares);  // nobody says when
  CHECK(with_standing_spares({.repair = 24 * units::hour}, rates, eight, 1024).spares == 8);
  CHECK(with_standing_spares({.visits = 7 * units::day}, rates, eight, 1024).spares == 8);
  CHECK(with_standing_spares({.repair = 24 * units::hour}, rates, eight, 32).spares == 4);
  CHECK(with_standing_spares({.spare_pools = 3, .repair = 24 * units::hour}, rates, eight, 1024)
            .spares == 6);
  rates.components.front().repair = 24 * units::hour;
  CHECK(with_standing_spares({}, rates, eight, 1024).spares == 8);
  CHECK(with_standing_spares({.spares = 1}, rates, eight, 1024).spares == 1);
  CHECK_FALSE(with_standing_spares({.shrink = 4}, rates, eight, 1024).spares);
  CHECK_FALSE(with_standing_spares({}, rates, {}, 1024).spares);
  // Too few for a unit, or for each pool.
  const StandingSpares of_domain{.gpus = 64, .node_gpus = 8, .hb_domain = 256};
  CHECK_FALSE(with_standing_spares({}, rates, of_domain, 1024).spares);
  CHECK_FALSE(with_standing_spares({.spare_pools = 9}, rates, eight, 1024).spares);
  CHECK(with_standing_spares({.gpus_per_node = 16}, rates, eight, 1024).spares == 4);
  // Lines that do not count say nothing of repairs.
  rates.components.push_back(rates.components.front());
  rates.components.back().repair.reset();
  CHECK_FALSE(with_standing_spares({}, rates, eight, 1024).spares);
  rates.components.back().optional = true;
  CHECK(with_standing_spares({}, rates, eight, 1024).spares == 8);
  CHECK_FALSE(with_standing_spares({.optional_lines = true}, rates, eight, 1024).spares);
  rates.components.back().rate = PerSecond{};
  CHECK(with_standing_spares({.optional_lines = true}, rates, eight, 1024).spares == 8);
  // Of racks whole ones, with optical switches trays.
  const StandingSpares rack{.gpus = 72, .node_gpus = 72, .hb_domain = 72, .gpus_per_tray = 4};
  CHECK(with_standing_spares({}, rates, rack, 9216).spares == 1);
  CHECK(with_standing_spares({.reconfigure = 30 * units::second}, rates, rack, 9216).spares == 18);
}

TEST_CASE("parts that are counted and that no line of the rates is for are named") {
  FailureRates rates{.name = "some",
                     .components = {{.component = "chassis",
                                     .unit = FailureUnit::chassis_switch,
                                     .rate = 1e-4 * units::per_hour,
                                     .optional = true}}};
  std::vector<std::string> warnings;
  warn_of_uncounted({.optional_lines = true, .chassis_switches = 3}, rates, warnings);
  warn_of_uncounted({.feeds = 0}, rates, warnings);
  CHECK(warnings.empty());
  warn_of_uncounted({.chassis_switches = 3, .feeds = 2}, rates, warnings);
  CHECK(warnings ==
        std::vector<std::string>{
            "--chassis-switches counts for nothing: only an optional line of some is for such "
            "parts (--optional-lines)",
            "--feeds counts for nothing: no line of some is for such parts"});
}

TEST_CASE("what ports of optical switches cost and draw needs a number of them") {
  const Seconds swap = 30 * units::second;
  CHECK_THROWS_AS(optical_swap({.optical_port_price = 3000 * units::usd}), UsageError);
  CHECK_THROWS_AS(optical_swap({.optical_port_power = 2 * units::W}), UsageError);
  CHECK_THROWS_AS(optical_swap({.reconfigure = swap, .optical_port_price = 3000 * units::usd}),
                  UsageError);
  CHECK_THROWS_AS(optical_swap({.reconfigure = swap, .optical_port_power = 2 * units::W}),
                  UsageError);
  CHECK(optical_swap({.reconfigure = swap, .optical_ports = 10})->ports == 10);
}

TEST_CASE("hosts with one of two links lost work on where no spare is left: they wait for none") {
  FailureRate link = crash(FailureUnit::link, 1e-4);
  link.repair = 24 * units::hour;
  link.degraded_speed = 0.9;
  const ReliabilitySettings asked{.access = AccessLinks::dual_tor,
                                  .link_loss = LinkLoss::swap,
                                  .spares = 1,
                                  .repair = 24 * units::hour};
  const ReliabilityResult result = of(asked, rates_of({link}), 512);
  CHECK(result.load.unswapped > 0.5);
  CHECK(result.load.speed == near(1 - 0.1 * result.load.unswapped));
  // Both links of a pair are seldom lost: only they wait.
  CHECK(result.load.waiting < 0.01);
  CHECK(*result.load.p_spares_ok < 0.5);
  CHECK(failure_money(result, 1).per_failure.in(units::usd) < 520 * 60);
}

TEST_CASE("100,000 GPUs on two access switches each with four spares do not lose to one switch") {
  FailureRate link = crash(FailureUnit::link, 7.9e-7);
  link.repair = 24 * units::hour;
  link.degraded_speed = 0.9375;
  const auto availability_of = [&](AccessLinks access, std::optional<LinkLoss> loss) {
    const ReliabilitySettings asked{
        .access = access, .link_loss = loss, .spares = 4, .repair = 24 * units::hour};
    return of(asked, rates_of({link}), 100'000).goodput.availability;
  };
  const double single = availability_of(AccessLinks::single_tor, {});
  const double swapped = availability_of(AccessLinks::dual_tor, LinkLoss::swap);
  CHECK(swapped > single);
  CHECK(swapped > availability_of(AccessLinks::dual_tor, LinkLoss::slow));
  CHECK(availability_of(AccessLinks::dual_tor, {}) == swapped);
}

TEST_CASE("where feeds alone take hosts away, their repair is that of the spares") {
  FailureRate feed = crash(FailureUnit::feed, 1e-5);
  feed.repair = 6 * units::hour;
  const ReliabilitySettings asked{.feeds = 8, .feed_hosts = 10, .spares = 12};
  const ReliabilityResult result = of(asked, rates_of({feed}), 640);
  CHECK(result.job.spares->repair == 6 * units::hour);
  CHECK(result.job.spares->feed_hosts == 10);
  CHECK(result.load.waiting > 0);
  // Feeds that nobody counted fail as little as none.
  FailureRate node = crash(FailureUnit::node, 1e-5);
  node.needs_spare = true;
  node.repair = 12 * units::hour;
  CHECK(of({.spares = 12}, rates_of({feed, node}), 640).job.spares->repair == 12 * units::hour);
  CHECK_THROWS_AS(of({.spares = 12}, rates_of({feed}), 640), const UsageError&);
}

TEST_CASE("switches and feeds that both take nodes away are said to be an approximation") {
  FailureRate feed = crash(FailureUnit::feed, 1e-5), tor = crash(FailureUnit::network_switch, 1e-5);
  feed.repair = tor.repair = 6 * units::hour;
  tor.degraded_speed = 0.9;
  const auto said = [&](AccessLinks access, const std::vector<FailureRate>& rates) {
    const Texts warnings = warned(
        {.nics = 512, .switches = 16, .access = access, .feeds = 8, .feed_hosts = 10, .spares = 12},
        rates_of(rates));
    return std::ranges::any_of(warnings, [](const std::string& warning) {
      return warning.find("an approximation") != std::string::npos;
    });
  };
  for (const AccessLinks access : {AccessLinks::single_tor, AccessLinks::dual_tor}) {
    CHECK(said(access, {feed, tor}));
    CHECK_FALSE(said(access, {tor}));
  }
  CHECK_FALSE(said(AccessLinks::single_tor, {feed}));
}
