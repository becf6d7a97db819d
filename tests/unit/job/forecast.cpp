#include "planner/job/forecast.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "planner/core/diagnostic.hpp"
#include "planner/perf/metrics.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

namespace {

constexpr Seconds kIdeal = 30 * units::day, kRouted = 33 * units::day;
constexpr double kIterations = 1000;
/// No draw of paths is worse than the mean.
constexpr IterationTimes kTimes{.ideal = kIdeal / kIterations,
                                .routed = kRouted / kIterations,
                                .expected = kRouted / kIterations,
                                .unlucky = kRouted / kIterations};

FailureRates rates(double per_gpu_hour) {
  FailureRates rates{.name = "some", .title = "some", .components = {}};
  rates.components.push_back({.component = "GPU",
                              .unit = FailureUnit::gpu,
                              .rate = per_gpu_hour * units::per_hour,
                              .detect = Seconds{60},
                              .diagnose = Seconds{600},
                              .needs_spare = true,
                              .origin = {}});
  rates.restart = Seconds{300};
  rates.checkpoint_stall = Seconds{10};
  return rates;
}

ReliabilityResult answer(double per_gpu_hour, ReliabilitySettings asked = {}) {
  std::vector<std::string> warnings;
  return job_reliability(asked, rates(per_gpu_hour), 4096, kRouted, warnings);
}

/// GPT 22B on eight nodes: tensor parallelism in each, gradients between them.
Workload of_eight_nodes() {
  return {.model = gpt_22b(),
          .system = a100_cluster(),
          .run = {.global_batch = 64, .sequence = 2048},
          .gpus = 64};
}
constexpr Strategy kInNodes{.tp = {.hb = 8}, .dp = {.net = 8}};

RoutingFactors slowed(double slowdown) {
  return uniform_factors(slowdown);
}

RoutingResult half_slower() {
  RoutingResult routing;
  routing.factors = slowed(1.5);
  routing.unlucky = slowed(2);
  routing.balanced = slowed(1);
  return routing;
}

Seconds sum(const std::vector<LostTime>& lost) {
  Seconds all{};
  for (const LostTime& one : lost) all = all + one.time;
  return all;
}

}  // namespace

TEST_CASE("without failures a run takes the time of the network as it behaves") {
  const ExpectedRun run = expected_run(kTimes, kIterations, std::nullopt);
  CHECK(run.ideal.si() == near(kIdeal.si()));
  CHECK(run.mean.si() == near(kRouted.si()));
  CHECK(run.p95 == run.mean);
  CHECK_FALSE(run.paths_vary);
  CHECK(sum(run.lost).si() == near((kRouted - kIdeal).si()));
}

TEST_CASE("what is lost adds up to what a run takes beyond the ideal") {
  for (const double rate : {1e-7, 1e-6, 1e-5}) {
    const ExpectedRun run = expected_run(kTimes, kIterations, answer(rate));
    CHECK(run.mean > kRouted);
    CHECK(run.p95 > run.mean);
    CHECK(sum(run.lost).si() == near((run.mean - run.ideal).si()));
    CHECK(run.lost.front().cause == LostCause::routing);
  }
}

TEST_CASE("p95 holds the luck of hashed paths, drawn anew with each restart") {
  IterationTimes times = kTimes;
  times.unlucky = 1.1 * kTimes.expected;
  const ExpectedRun alone = expected_run(times, kIterations, std::nullopt);
  CHECK(alone.paths_vary);
  CHECK_FALSE(alone.failures_vary);
  CHECK(alone.p95.si() == near(1.1 * kRouted.si()));
  CHECK(alone.mean.si() == near(kRouted.si()));
  const ReliabilityResult failing = answer(1e-6);
  const ExpectedRun without = expected_run(kTimes, kIterations, failing);
  const ExpectedRun with = expected_run(times, kIterations, failing);
  CHECK(without.p95 == failing.days->p95);
  CHECK(with.mean == without.mean);
  CHECK(with.p95 > without.p95);
  const double one_draw = 0.1 * with.mean.si() / std::sqrt(1 + failing.days->failures);
  const double both = std::hypot((without.p95 - without.mean).si(), one_draw);
  CHECK((with.p95 - with.mean).si() == near(both, 1e-9));
}

TEST_CASE("storage on the network is a loss of its own, and a class bounds it") {
  IterationTimes times = kTimes;
  times.routed = 0.98 * kTimes.expected;
  times.guaranteed = 1.2 * kTimes.expected;
  const ExpectedRun run = expected_run(times, kIterations, answer(1e-6));
  CHECK(run.guaranteed->si() == near(1.2 * run.mean.si()));
  CHECK(run.lost[1].cause == LostCause::storage);
  CHECK(run.lost[1].time.si() == near(0.02 * kRouted.si()));
  CHECK(sum(run.lost).si() == near((run.mean - run.ideal).si()));
}

TEST_CASE("dollars follow the days, and spare nodes are paid for") {
  const auto reliability = answer(1e-6, {.spares = 64, .repair = 24 * units::hour});
  const ExpectedRun run = expected_run(kTimes, kIterations, reliability);
  CHECK(spare_gpus(reliability) == 64 * 8);
  const auto price =
      Estimate<UsdPerSecond>::exactly((4096 + 64 * 8) * (2 * units::usd / units::hour));
  const ExpectedCost cost = expected_cost(run, price);
  // They stand there without a failure too: between ideal and mean are lost hours alone.
  CHECK(cost.ideal.expected.in(units::usd) == near(1.125 * 4096 * 2 * 30 * 24));
  CHECK(cost.mean.expected.in(units::usd) == near(1.125 * 4096 * 2 * run.mean.in(units::hour)));
  CHECK(cost.p95.expected.in(units::usd) == near(1.125 * 4096 * 2 * run.p95.in(units::hour)));
  CHECK(spare_gpus(answer(1e-6)) == 0);
}

TEST_CASE("a spare is a whole node, also of a job that does not fill its last") {
  std::vector<std::string> warnings;
  const auto result = job_reliability({.spares = 1, .repair = 24 * units::hour}, rates(1e-6), 12,
                                      kRouted, warnings);
  CHECK(result.job.counts.nodes == 2);
  CHECK(spare_gpus(result) == 8);
}

TEST_CASE("a run of years is an answer, and one that no number can say how long it takes") {
  const ReliabilityResult years = answer(1e-5, {.stall = 100 * units::hour});
  CHECK(years.goodput.availability > 0);
  CHECK(years.days->mean > 365 * units::day);
  const ReliabilityResult beyond = answer(1e-5, {.checkpoint = 1e5 * units::hour});
  CHECK(beyond.goodput.availability == kLeastAvailability);
  CHECK(std::isfinite(beyond.days->mean.si()));
  const ExpectedRun run = expected_run(kTimes, kIterations, beyond);
  CHECK(std::isfinite(run.p95.si()));
}

TEST_CASE("a checkpoint can be loaded when storage has it") {
  std::vector<std::string> warnings;
  const Workload workload = of_eight_nodes();
  const Plan plan = make_plan(workload, kInNodes);
  ForecastInputs from{.rates = rates(1e-5), .gpus = 64, .workload = &workload, .plan = &plan};
  from.sharing = SharingImpact{.write_time = Seconds{100}, .writing_share = 0.1};
  CHECK(forecast_of(from, warnings)->reliability->job.checkpoint.durable == Seconds{90});
  from.recovery.durable = Seconds{30};
  CHECK(forecast_of(from, warnings)->reliability->job.checkpoint.durable == Seconds{30});
}

TEST_CASE("an iteration is timed on balanced links, as they are, unlucky, and beside storage") {
  Workload workload = of_eight_nodes();
  const auto time = [&] { return make_plan(workload, kInNodes).time.total(); };
  const Seconds alone = time();
  const IterationTimes same = iteration_times(workload, make_plan(workload, kInNodes), {}, {});
  CHECK(same.ideal == alone);
  CHECK(same.unlucky == alone);
  CHECK_FALSE(same.guaranteed);

  const RoutingResult routing = half_slower();
  workload.routing = routing.factors;
  const Seconds routed = time();
  const IterationTimes hashed =
      iteration_times(workload, make_plan(workload, kInNodes), routing, {});
  CHECK(hashed.ideal == alone);
  CHECK(hashed.routed == routed);
  CHECK(hashed.expected == routed);
  CHECK(hashed.unlucky > routed);
  CHECK(routed > alone);

  const SharingImpact sharing{.traffic = 5 * units::GBps, .most_traffic = 10 * units::GBps};
  workload.storage_traffic = sharing.traffic;
  const IterationTimes shared =
      iteration_times(workload, make_plan(workload, kInNodes), routing, sharing);
  CHECK(shared.ideal == alone);
  CHECK(shared.routed == routed);
  CHECK(shared.expected > routed);
  CHECK(*shared.guaranteed > shared.expected);
  CHECK(shared.unlucky > hashed.unlucky);
}

TEST_CASE("luck that is better than the mean leaves the mean") {
  Workload workload = of_eight_nodes();
  RoutingResult routing = half_slower();
  routing.unlucky = slowed(1.2);  // against a measured network that was worse
  workload.routing = routing.factors;
  const Plan plan = make_plan(workload, kInNodes);
  CHECK(iteration_times(workload, plan, routing, {}).unlucky == plan.time.total());
}

TEST_CASE("there is a forecast of what somebody asks for, and of no more") {
  std::vector<std::string> warnings;
  const Workload workload = of_eight_nodes();
  const Plan plan = make_plan(workload, kInNodes);
  const ForecastInputs plain{.gpus = 64, .workload = &workload, .plan = &plan, .iterations = 1000};
  CHECK_FALSE(forecast_of(plain, warnings));

  ForecastInputs failing = plain;
  failing.rates = rates(1e-6);
  failing.price = Estimate<UsdPerSecond>::exactly(64 * (2 * units::usd / units::hour));
  const auto all = forecast_of(failing, warnings);
  CHECK(all->reliability->days->ideal.si() == near(1000 * plan.time.total().si()));
  CHECK(all->cost->mean.expected.in(units::usd) == near(128 * all->run->mean.in(units::hour)));
  CHECK_FALSE(all->routing);

  failing.iterations.reset();
  const auto rate = forecast_of(failing, warnings);
  CHECK(rate->reliability->goodput.availability == all->reliability->goodput.availability);
  CHECK_FALSE(rate->reliability->days);
  CHECK_FALSE(rate->run);
  CHECK_FALSE(rate->cost);
}

TEST_CASE("what p95 takes for granted of hashed paths is told where they vary") {
  std::vector<std::string> warnings;
  Workload workload = of_eight_nodes();
  ForecastInputs inputs{.routing = half_slower(), .gpus = 64, .iterations = 1000};
  workload.routing = inputs.routing->factors;
  const Plan plan = make_plan(workload, kInNodes);
  inputs.workload = &workload;
  inputs.plan = &plan;
  const auto varying = forecast_of(inputs, warnings);
  CHECK(varying->run->paths_vary);
  REQUIRE(varying->routing->assumptions.size() == 1);
  CHECK(varying->routing->assumptions.front().starts_with("p95 of a run: paths are hashed anew"));
  inputs.routing->unlucky = inputs.routing->factors;
  CHECK(forecast_of(inputs, warnings)->routing->assumptions.empty());
}

TEST_CASE("a plan is slower while a card has one of its two ports, the less the more it computes") {
  Workload workload = of_eight_nodes();
  const auto speed = [&](const std::optional<RoutingResult>& routing) {
    return speed_with_port_down(workload, make_plan(workload, kInNodes), routing);
  };
  const double alone = speed({});
  CHECK(alone < 1);
  CHECK(alone > 0.5);
  // The same as S = 2 on all that crosses the network.
  RoutingResult routing;
  routing.card_down = slowed(2);
  CHECK(speed(routing) == near(alone));
  workload.run.global_batch *= 4;
  CHECK(speed({}) > alone);

  // A speed that is given stands; without a plan there is none.
  std::vector<std::string> warnings;
  FailureRates links = rates(1e-6);
  links.components.front().unit = FailureUnit::link;
  links.components.front().repair = Seconds{86400};
  const Plan plan = make_plan(workload, kInNodes);
  ForecastInputs inputs{.rates = links,
                        .recovery = {.access = AccessLinks::dual_tor},
                        .gpus = 64,
                        .workload = &workload,
                        .plan = &plan};
  CHECK(forecast_of(inputs, warnings)->reliability.has_value());
  inputs.plan = nullptr;
  CHECK_THROWS_AS(forecast_of(inputs, warnings), UsageError);
}
