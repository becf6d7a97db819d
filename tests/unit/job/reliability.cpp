// What failures make of a job: the parts that fail, what is refused and remarked on, the money.
#include "planner/job/reliability.hpp"

#include <doctest/doctest.h>

#include "planner/core/diagnostic.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using planner::testing::near;

namespace {

using Texts = std::vector<std::string>;

FailureRate crash(FailureUnit unit, double per_hour) {
  return {.component = "part",
          .unit = unit,
          .rate = per_hour * units::per_hour,
          .detect = Seconds{60},
          .diagnose = Seconds{600}};
}

/// With checkpoints of 10 s and restarts of 300 s.
FailureRates rates_of(std::vector<FailureRate> components) {
  return {.name = "some",
          .title = "some",
          .components = std::move(components),
          .restart = Seconds{300},
          .checkpoint_stall = Seconds{10}};
}

ReliabilityResult of(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus = 512,
                     std::optional<Seconds> ideal = {}) {
  Texts warnings;
  return job_reliability(asked, std::move(rates), gpus, ideal, warnings);
}

Texts warned(const ReliabilitySettings& asked, FailureRates rates) {
  Texts warnings;
  job_reliability(asked, std::move(rates), 512, {}, warnings);
  return warnings;
}

FailureRates of_gpus() {
  return rates_of({crash(FailureUnit::gpu, 1e-6)});
}

}  // namespace

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

TEST_CASE("a job that makes any progress has its years; below what numbers say it never finishes") {
  const auto rates = rates_of({crash(FailureUnit::gpu, 9e-5)});  // one every 610 s
  Texts warnings;
  const auto slow =
      job_reliability({.stall = Seconds{900}}, rates, 65'536, 30 * units::day, warnings);
  CHECK(slow.goodput.availability > 0);
  CHECK(slow.days->mean > 300 * units::day);
  try {
    job_reliability({.checkpoint = Seconds{3'600'000}}, rates, 65'536, {}, warnings);
    CHECK(false);
  } catch (const InfeasibleError& error) {
    CHECK(error.diagnostics().front().code == "never-finishes");
    CHECK_FALSE(error.diagnostics().front().hint.empty());
  }
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
  CHECK(in_domains({.spares = 1}, 72).swap_unit == 72);
  CHECK_FALSE(in_domains({.spares = 1}, 8).swap_unit);
}

TEST_CASE("a failure costs its recovery and the work it takes, spares are paid for all along") {
  const Seconds ideal = 30 * units::day;
  const ReliabilitySettings asked{.spares = 8, .repair = 24 * units::hour};
  FailureRates rates = of_gpus();
  rates.components.front().needs_spare = true;
  const ReliabilityResult result = of(asked, rates, 512, ideal);
  const FailureMoney money = failure_money(result, 2);
  CHECK(money.ideal->in(units::usd) == near(512 * 2 * 720));
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

TEST_CASE(
    "links of swapped hosts wait for spares without being crashes: a recovery has none of it") {
  FailureRate link = crash(FailureUnit::link, 1e-4);
  link.repair = 24 * units::hour;
  link.degraded_speed = 0.5;
  const ReliabilitySettings asked{.access = AccessLinks::dual_tor,
                                  .link_loss = LinkLoss::swap,
                                  .spares = 1,
                                  .repair = 24 * units::hour};
  const ReliabilityResult result = of(asked, rates_of({link}), 512);
  REQUIRE(result.load.waiting > 0);
  // Both links of a pair are seldom lost: all but none of the waits follow losses that crash.
  CHECK(result.load.crashes_wait < 0.05 * result.load.waiting);
  CHECK(result.load.recovery() < result.load.down() + 2 * (24 * units::hour));
  const FailureMoney money = failure_money(result, 1);
  CHECK(money.per_failure.in(units::usd) < 520 * 60);
}

TEST_CASE("why two access switches lose to one, and what a mode starts from, is said") {
  const auto says = [](const Texts& all, const char* text) {
    return std::ranges::any_of(
        all, [&](const std::string& one) { return one.find(text) != std::string::npos; });
  };
  FailureRate link = crash(FailureUnit::link, 1e-4);
  link.repair = 24 * units::hour;
  link.degraded_speed = 0.2;
  CHECK(says(warned({.access = AccessLinks::dual_tor,
                     .link_loss = LinkLoss::swap,
                     .spares = 1,
                     .repair = 24 * units::hour},
                    rates_of({link})),
             "hosts that are swapped wait for spares"));
  FailureRates rates = rates_of({crash(FailureUnit::gpu, 1e-4)});
  rates.components.front().basis = RateBasis::job_calendar;
  rates.components.front().observed_units = 512;
  CHECK(says(warned({.recovery = RecoveryMode::restart}, rates), "observed ones"));
  CHECK_FALSE(says(warned({}, rates), "observed ones"));
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
