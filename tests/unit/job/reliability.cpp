// What failures make of a job: the parts that fail, what is refused and remarked on, the money.
#include "planner/job/reliability.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "planner/core/diagnostic.hpp"
#include "support/failing_jobs.hpp"
#include "support/near.hpp"
#include "support/reliability.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

TEST_CASE("racks of 72 GPUs fail as the nodes of 8 that their rates are for") {
  FailureRates rates = rates_of({crash(FailureUnit::node, 2.7e-4)});
  rates.gpus_per_node = 8;
  const Node rack{.accelerators = 72, .nics = 72};
  const auto of_gpus = [&](std::int64_t gpus) { return of(in_nodes({}, rack, gpus), rates, gpus); };
  const ReliabilityResult all = of_gpus(9216);
  CHECK(all.job.counts.nodes == 128);
  CHECK(all.load.rate * units::hour == near(9216 / 8 * 2.7e-4));
  CHECK(std::ranges::find(all.assumed, "gpus-per-node") == all.assumed.end());
  const ReliabilityResult most = of_gpus(9144);
  CHECK(most.job.counts.nodes == 127);
  CHECK(most.job.counts.nics == 9144);
  CHECK(most.load.rate / all.load.rate == near(9144.0 / 9216));
}

TEST_CASE("nodes with one network card have that one to lose") {
  const Node one_card{.accelerators = 8, .nics = 1};
  const ReliabilitySettings settings = in_nodes({}, one_card, 1000);
  CHECK(settings.gpus_per_node == 8);
  CHECK(settings.nics == 125);
  CHECK(in_nodes({.nics = 7}, one_card, 1000).nics == 7);
}

TEST_CASE(
    "a counted network has the parts that nobody numbers, with two access switches in pairs") {
  FabricCount network{.endpoints = 4096};
  network.switches = {{.name = "leaf", .switches = 65}, {.name = "spine", .switches = 32}};
  const Node node{.accelerators = 8, .nics = 8};
  const ReliabilitySettings single = counted_parts({}, node, network);
  CHECK(single.nics == 4096);
  CHECK(single.switches == 65);
  CHECK(single.gpus_per_node == 8);
  CHECK(single.upper_switches == 32);
  CHECK(counted_parts({.access = AccessLinks::dual_tor}, node, network).switches == 33);
  const ReliabilitySettings given{.nics = 1, .switches = 2, .upper_switches = 3};
  CHECK(counted_parts(given, std::nullopt, network) == given);
}

TEST_CASE("what nobody says is assumed by name, where it matters") {
  CHECK(of({}, of_gpus()).assumed == Texts{"restart", "checkpoint", "stall", "rate-uncertainty"});
  const FailureRates parts =
      rates_of({crash(FailureUnit::nic, 1e-6), crash(FailureUnit::network_switch, 1e-6)});
  CHECK(of({}, parts).assumed ==
        Texts{"nics", "switches", "restart", "tor", "checkpoint", "stall", "rate-uncertainty"});
  CHECK(of({.nics = 64,
            .switches = 1,
            .access = AccessLinks::single_tor,
            .optimal_checkpoint = true,
            .stall = Seconds{1},
            .restart = Seconds{1},
            .rate_factor = 1},
           parts)
            .assumed.empty());
}

TEST_CASE("what is not known is what is usual, with its range; an unlikely rate is remarked on") {
  FailureRates rates = of_gpus();
  rates.components.front().detect.reset();
  rates.restart.reset();
  CHECK(
      warned({}, rates) ==
      Texts{"not known, and taken as what is usual: --restart 5 min (60 s to 15 min), --detect 10 "
            "min (60 s to 30 min)"});
  const ReliabilityResult usual = of({.rate_factor = 1}, rates);
  CHECK(usual.load.detect.si() == near(600));
  CHECK(usual.job.restart == Seconds{300});
  CHECK(usual.availability.low < usual.availability.expected);
  CHECK(usual.availability.expected < usual.availability.high);
  const ReliabilityResult sure = of({.rate_factor = 1}, of_gpus());
  CHECK(sure.availability.high == near(sure.availability.low, 1e-6));
  CHECK(warned({.detect = Seconds{60}, .restart = Seconds{300}}, rates).empty());
  const Texts high = warned({}, rates_of({crash(FailureUnit::gpu, 2e-4)}));
  REQUIRE(high.size() == 1);
  CHECK(high.front().find("its unit is \"node\"") != std::string::npos);
  CHECK(warned({.access = AccessLinks::dual_tor}, of_gpus()) ==
        Texts{"no rate is per link or switch: --tor dual changes nothing"});
}

TEST_CASE("settings that contradict each other or the rates are refused, each in its words") {
  const auto refusal = [](const ReliabilitySettings& asked, FailureRates rates) -> std::string {
    try {
      of(asked, std::move(rates));
    } catch (const UsageError& error) {
      return error.diagnostics().front().message;
    }
    return "";
  };
  const std::optional<Seconds> day = units::day;
  CHECK(refusal({.crews = 1}, of_gpus()) == "--crews needs --spares");
  CHECK(refusal({.spares = 65, .repair = day}, of_gpus()) == "--spares 65: the job has 64 nodes");
  CHECK(refusal({.spares = 9, .swap_unit = 64, .repair = day}, of_gpus()) ==
        "--spares 9: the job has 8 swap units");
  CHECK(refusal({.spares = 1, .swap_unit = 72, .tray = 5, .spare_trays = 1, .repair = day},
                of_gpus()) == "--tray 5 does not divide the 72 GPUs that are swapped at once");
  CHECK(refusal({.checkpoint = Seconds{200},
                 .stall = Seconds{1},
                 .checkpoint_size = 30 * units::GB,
                 .checkpoint_rate = 0.1 * units::GBps},
                of_gpus()) ==
        "a checkpoint every 3.33 min cannot begin before the last is durable, after 4.98 min");
  CHECK(refusal({.durable = day, .checkpoint_size = 30 * units::GB, .checkpoint_rate = units::GBps},
                of_gpus()) == "--durable follows from --checkpoint-size and --checkpoint-rate");
  CHECK(refusal({.spares = 1, .repair = day, .visits = day}, of_gpus()) ==
        "--repair-visits excludes --repair and --crews");
  CHECK(refusal({.spares = 65, .spare_pools = 65, .repair = day}, of_gpus()) ==
        "--spare-pools 65: the job has 64 nodes");
  CHECK(refusal({.spares = 5, .spare_pools = 2, .repair = day}, of_gpus()) ==
        "--spares 5 cannot be split evenly over 2 pools");
  CHECK(refusal({.spares = 1}, of_gpus()) == "--spares needs the time until a failed node is back");
  CHECK(refusal({.checkpoint = Seconds{60}, .durable = Seconds{600}}, of_gpus()) ==
        "a checkpoint every 60 s cannot begin before the last is durable, after 10 min");
  CHECK(refusal({.stall = Seconds{0}}, of_gpus()) ==
        "a checkpoint that costs nothing has no optimal interval");
  FailureRates unknown = of_gpus();
  unknown.checkpoint_stall.reset();
  CHECK(refusal({}, unknown) == "the optimal checkpoint interval needs what one checkpoint takes");
  const FailureRates links = rates_of({crash(FailureUnit::link, 1e-6)});
  CHECK(refusal({.access = AccessLinks::dual_tor}, links) ==
        "--tor dual needs the repair time of \"part\"");
  CHECK(refusal({.access = AccessLinks::dual_tor, .repair = day}, links)
            .starts_with("--tor dual needs the speed of the job"));
  CHECK(refusal({.access = AccessLinks::dual_tor, .degraded_speed = 0.9, .repair = day}, links)
            .empty());
}

TEST_CASE("a job that makes any progress has its years, if they are more than numbers say, too") {
  const auto rates = rates_of({crash(FailureUnit::gpu, 9e-5)});  // one every 610 s
  Texts warnings;
  const auto slow =
      job_reliability({.stall = Seconds{900}}, rates, 65'536, 30 * units::day, warnings);
  CHECK(slow.goodput.availability > 0);
  CHECK(slow.days->mean > 300 * units::day);
  warnings.clear();
  const auto hardly =
      job_reliability({.checkpoint = Seconds{3'600'000}}, rates, 65'536, 30 * units::day, warnings);
  CHECK(hardly.goodput.availability == 1e-100);
  CHECK(hardly.goodput.waste.total() == near(1, 1e-12));
  CHECK(hardly.availability.low == 1e-100);
  CHECK(hardly.days->p95.in(units::day) == near(3e101, 1e-9));
  CHECK(hardly.days->p95 == hardly.days->mean);
  CHECK(std::isfinite(hardly.days_range->high.si()));
  CHECK(std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.find("less than one part in 10^100 of the time") != std::string::npos;
  }));
}

TEST_CASE(
    "recovery times of a file are observed ones: with restarts what they repeat is taken out") {
  FailureRates rates = rates_of({crash(FailureUnit::gpu, 1e-4)});
  FailureRate& all = rates.components.front();
  all.basis = RateBasis::job_calendar;
  all.observed_units = 512;
  const ReliabilityResult merged = of({}, rates);
  const ReliabilityResult restarted = of({.recovery = RecoveryMode::restart}, rates);
  // On the job whose log it is, the observed time down comes back.
  CHECK(restarted.load.down().si() == near(merged.load.down().si(), 1e-9));
  CHECK(restarted.job.restart < merged.job.restart);
  rates.recovery_basis = RecoveryBasis::undisturbed;
  CHECK(of({.recovery = RecoveryMode::restart}, rates).load.down() > merged.load.down());
  // What the user says is undisturbed.
  CHECK(of({.restart = Seconds{300}, .recovery = RecoveryMode::restart}, rates).job.restart ==
        Seconds{300});
}

TEST_CASE("optional lines and flaps count where somebody asks for them") {
  FailureRates rates = rates_of({crash(FailureUnit::gpu, 1e-6), crash(FailureUnit::gpu, 1e-5)});
  rates.components[1].optional = true;
  CHECK(of({}, rates).exposed.size() == 1);
  CHECK(of({.optional_lines = true}, rates).exposed.size() == 2);
  const ReliabilityResult flaps = of({.flaps = 0.1}, of_gpus());
  CHECK(flaps.load.stalled == near(512 * 0.1 * 9 / 86400));
}

TEST_CASE("a stall takes its own time, whatever is said of repairs and recoveries") {
  const ReliabilitySettings said{
      .detect = Seconds{60}, .diagnose = Seconds{300}, .flaps = 0.1, .repair = 24 * units::hour};
  CHECK(of(said, of_gpus()).load.stalled == near(512 * 0.1 * 9 / 86400));
  FailureRates rates = of_gpus();
  rates.components.push_back({.component = "pause",
                              .unit = FailureUnit::job,
                              .rate = 1e-5 * units::per_hour,
                              .basis = RateBasis::active,
                              .action = FailureAction::stall,
                              .repair = Seconds{36}});
  CHECK(of({.repair = 24 * units::hour}, rates).load.stalled == near(1e-7));
}

TEST_CASE("a failure costs its recovery and the work it takes, spares are paid for all along") {
  const Seconds ideal = 30 * units::day;
  const ReliabilitySettings asked{.spares = 8, .repair = 24 * units::hour};
  FailureRates rates = of_gpus();
  rates.components.front().needs_spare = true;
  const ReliabilityResult result = of(asked, rates, 512, ideal);
  const FailureMoney money = failure_money(result, 2);
  CHECK(money.ideal->in(units::usd) == near(1.125 * 512 * 2 * 720));
  CHECK(money.mean->in(units::usd) == near(1.125 * 512 * 2 * result.days->mean.in(units::hour)));
  CHECK(money.p95->in(units::usd) == near(1.125 * 512 * 2 * result.days->p95.in(units::hour)));
  // Recovery takes 60 + 600 + 300 s; what else a failure takes stands to the restart as in waste.
  const Waste& waste = result.goodput.waste;
  const double else_s = 300 * (waste.lost + waste.spare_wait) / waste.restart;
  CHECK(money.per_failure.in(units::usd) == near(1.125 * 512 * 2 * (960 + else_s) / 3600, 1e-9));
  const FailureMoney rate = failure_money(of(asked, rates), 2);
  CHECK(rate.per_failure == money.per_failure);
  CHECK_FALSE(rate.mean);
}

TEST_CASE("why two access switches lose to one, and what a mode starts from, is said") {
  const auto says = [](const Texts& all, const std::string& text) {
    return std::ranges::any_of(
        all, [&](const std::string& one) { return one.find(text) != std::string::npos; });
  };
  FailureRate link = crash(FailureUnit::link, 1e-4);
  link.repair = 24 * units::hour;
  link.degraded_speed = 0.2;
  const ReliabilitySettings asked{.access = AccessLinks::dual_tor,
                                  .checkpoint = Seconds{600},
                                  .stall = Seconds{600},
                                  .spares = 20,
                                  .repair = 24 * units::hour};
  const Texts lost = warned(asked, rates_of({link}));
  // A crash with one switch takes half of 1,200 s and a recovery of 960 s.
  CHECK(says(lost,
             "running slower pays for repairs below 16.2 min (here 24 h), swapping hosts "
             "for pauses below 13 min (here 15 min)"));
  link.repair = units::hour;
  link.degraded_speed = 0.99;
  const ReliabilitySettings forced{.access = AccessLinks::dual_tor,
                                   .stall = Seconds{600},
                                   .link_loss = LinkLoss::swap,
                                   .spares = 20,
                                   .repair = 24 * units::hour};
  CHECK(says(warned(forced, rates_of({link})), "--link-loss swap loses more than slow ("));
  CHECK(says(warned(forced, rates_of({link})), ": more spares make for more pauses"));
  FailureRates rates = rates_of({crash(FailureUnit::gpu, 1e-4)});
  rates.components.front().basis = RateBasis::job_calendar;
  rates.components.front().observed_units = 512;
  CHECK(says(warned({.recovery = RecoveryMode::restart}, rates), "observed ones"));
  CHECK_FALSE(says(warned({}, rates), "observed ones"));
}

TEST_CASE("of observed times no mode is better than a gentler one, whatever the size of the job") {
  FailureRate gpu = crash(FailureUnit::gpu, 2e-5);
  gpu.basis = RateBasis::job_calendar;
  gpu.observed_units = 16384;
  FailureRates rates = rates_of({gpu});
  rates.restart = minutes(10);
  const auto in_mode = [&](ReliabilitySettings asked, std::int64_t gpus, RecoveryMode mode) {
    asked.recovery = mode;
    asked.stall = Seconds{5};
    return of(asked, rates, gpus).goodput.availability;
  };
  const ReliabilitySettings loads{.checkpoint_size = 1e12 * units::byte,
                                  .load_rate = 1e10 * units::byte / Seconds{1}};
  for (const ReliabilitySettings& asked :
       {ReliabilitySettings{}, loads, ReliabilitySettings{.restart = minutes(3)},
        ReliabilitySettings{.detect = minutes(30), .diagnose = minutes(1)},
        ReliabilitySettings{.spares = 4, .repair = 24 * units::hour}}) {
    for (const std::int64_t gpus : {64, 1024, 8192, 16384, 32768, 131072}) {
      CAPTURE(gpus);
      const double merge = in_mode(asked, gpus, RecoveryMode::merge);
      const double phased = in_mode(asked, gpus, RecoveryMode::phased);
      CHECK(merge >= phased - 1e-12);
      CHECK(phased >= in_mode(asked, gpus, RecoveryMode::restart) - 1e-12);
    }
  }
  // Where they were observed all modes take what was observed; above it repeats are more.
  const double there = in_mode({}, 16384, RecoveryMode::merge);
  CHECK(in_mode({}, 16384, RecoveryMode::restart) == near(there, 1e-9));
  CHECK(in_mode({}, 131072, RecoveryMode::restart) <
        in_mode({}, 131072, RecoveryMode::merge) - 0.01);
}

TEST_CASE("trays that the job leaves idle are spares, where nobody says what takes whose place") {
  CHECK(with_idle_trays({.spares = 0}, 72, 64, 4, 640) ==
        ReliabilitySettings{.spares = 0, .swap_unit = 72, .tray = 4, .spare_trays = 2});
  CHECK(with_idle_trays({.spares = 0}, 72, 69, 4, 690) == ReliabilitySettings{.spares = 0});
  CHECK(with_idle_trays({.spares = 0}, 70, 64, 4, 640) == ReliabilitySettings{.spares = 0});
  CHECK(with_idle_trays({}, 72, 64, 4, 640) == ReliabilitySettings{});
  CHECK(with_idle_trays({.spares = 0}, 72, 64, std::nullopt, 640) ==
        ReliabilitySettings{.spares = 0});
  for (const ReliabilitySettings& said :
       {ReliabilitySettings{.spares = 1, .swap_unit = 8},
        ReliabilitySettings{.spares = 1, .visits = 7 * units::day}}) {
    CHECK(with_idle_trays(said, 72, 64, 4, 640) == said);
  }
  // As many trays as somebody asks for, the idle ones first.
  for (const auto& [trays, unit] : {std::pair{1, 68}, std::pair{2, 72}, std::pair{3, 72}}) {
    const ReliabilitySettings said{.spares = 1, .tray = 4, .spare_trays = trays};
    ReliabilitySettings with = said;
    with.swap_unit = unit;
    CHECK(with_idle_trays(said, 72, 64, 4, 640) == with);
    CHECK(with_idle_trays(said, 72, 72, 4, 720) == said);
  }
}

TEST_CASE(
    "flaps that would keep a link down all day are refused, and a network's rates are named") {
  CHECK_THROWS_AS(of({.flaps = 9600}, of_gpus()), const UsageError&);
  CHECK(of({.flaps = 9599}, of_gpus()).goodput.availability > 0);
  const Texts told = warned({.stall = Seconds{1}}, rates_of({crash(FailureUnit::link, 1e-6)}));
  REQUIRE(told.size() == 1);
  CHECK(told.front() == "these rates are of the network only: GPUs, hosts and software fail too");
}

TEST_CASE("the range of a job meets lost links as loses less at each of its rates") {
  FailureRate link = crash(FailureUnit::link, 2e-5);
  link.repair = 24 * units::hour;
  link.degraded_speed = 0.5;
  FailureRate node = crash(FailureUnit::node, 1e-4);
  node.needs_spare = true;
  const auto range_of = [&](std::optional<LinkLoss> loss) {
    return of({.access = AccessLinks::dual_tor,
               .link_loss = loss,
               .spares = 4,
               .repair = 24 * units::hour},
              rates_of({link, node}))
        .availability;
  };
  const auto free = range_of({}), swap = range_of(LinkLoss::swap), slow = range_of(LinkLoss::slow);
  CHECK(free.low >= std::max(swap.low, slow.low) - 1e-9);
  CHECK(free.high >= std::max(swap.high, slow.high) - 1e-9);
}

TEST_CASE("the curve has the interval in use, and the best is the best of it") {
  const ReliabilityResult result = of({}, of_gpus());
  REQUIRE(result.advised);
  CHECK(result.by_interval.size() == 61);
  CHECK(result.goodput.interval == result.advised->optimal);
  for (const IntervalPoint& point : result.by_interval) {
    CHECK(point.availability <= result.goodput.availability);
  }
  CHECK(result.by_interval[30].availability == near(result.goodput.availability));
  CHECK_FALSE(of({}, rates_of({})).advised);
  CHECK(of({}, rates_of({})).by_interval.empty());
}

TEST_CASE("a stall that nobody knows is a range: what it would cost is in the ends of the others") {
  FailureRates rates = of_gpus();
  rates.checkpoint_stall = std::nullopt;
  rates.checkpoint_interval = Seconds{600};
  const Seconds ideal = 30 * units::day;
  Texts warnings;
  const ReliabilityResult unknown = job_reliability({}, rates, 512, ideal, warnings);
  CHECK(unknown.unknown_stall->low == Seconds{1});
  CHECK(unknown.unknown_stall->high == Seconds{100});
  CHECK(std::ranges::any_of(
      warnings, [](const std::string& text) { return text.find("--stall") != std::string::npos; }));
  const auto with = [&](double seconds) {
    return of({.stall = Seconds{seconds}}, rates, 512, ideal);
  };
  CHECK_FALSE(with(0).unknown_stall);
  // The expected case is a bound, the ends are those of jobs with the ends of the stall.
  CHECK(unknown.goodput.availability == with(0).goodput.availability);
  CHECK(unknown.availability.low == near(with(100).availability.low));
  CHECK(unknown.availability.high ==
        near(std::max(unknown.availability.expected, with(1).availability.high)));
  CHECK(unknown.days_range->high.si() == near(with(100).days_range->high.si()));
  CHECK(unknown.days_range->low <= unknown.days_range->expected);
  // Nothing is saved where nothing crashes, and then nothing is unknown.
  rates.components.front().rate = PerSecond{};
  rates.checkpoint_interval = std::nullopt;
  CHECK_FALSE(of({}, rates).unknown_stall);
}

TEST_CASE(
    "no run of 100 goes faster than without failures, rare as they are and long as waits are") {
  const FailureRates rates = rates_of({crash(FailureUnit::node, 2.9e-5)});
  const ReliabilitySettings waiting{.spares = 0, .repair = 168 * units::hour};
  const ReliabilityResult run = of(waiting, rates, 512, 11 * units::day);
  REQUIRE(run.days_range);
  CHECK(run.days_range->low >= 11 * units::day);
}
