#include "planner/api/forecast.hpp"

#include <doctest/doctest.h>

#include "planner/api/job_reliability.hpp"
#include "planner/core/diagnostic.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

constexpr Seconds kIdeal = 30 * units::day, kRouted = 33 * units::day;

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

Seconds sum(const std::vector<LostTime>& lost) {
  Seconds all{};
  for (const LostTime& one : lost) all = all + one.time;
  return all;
}

}  // namespace

TEST_CASE("without failures a run takes the time of the network as it behaves") {
  const ExpectedRun run = expected_run(kIdeal, kRouted, std::nullopt);
  CHECK(run.ideal == kIdeal);
  CHECK(run.mean == kRouted);
  CHECK(run.p95 == kRouted);
  CHECK(sum(run.lost) == kRouted - kIdeal);
}

TEST_CASE("what is lost adds up to what a run takes beyond the ideal") {
  for (const double rate : {1e-7, 1e-6, 1e-5}) {
    const ExpectedRun run = expected_run(kIdeal, kRouted, answer(rate));
    CHECK(run.mean > kRouted);
    CHECK(run.p95 > run.mean);
    CHECK(sum(run.lost).si() == near((run.mean - run.ideal).si()));
    CHECK(run.lost.front().cause == "routing");
  }
}

TEST_CASE("dollars follow the days, and spare nodes are paid for") {
  const auto reliability = answer(1e-6, {.spares = 64, .repair = 24 * units::hour});
  const ExpectedRun run = expected_run(kIdeal, kRouted, reliability);
  const double share = spare_share(reliability);
  CHECK(share == near(64.0 / 512));  // of 4,096 GPUs in nodes of 8
  const auto price = Estimate<UsdPerSecond>::exactly(4096 * (2 * units::usd / units::hour));
  const ExpectedCost cost = expected_cost(run, price, share);
  CHECK(cost.ideal.expected.in(units::usd) == near(4096 * 2 * 30 * 24));
  CHECK(cost.mean.expected.in(units::usd) == near(1.125 * 4096 * 2 * run.mean.in(units::hour)));
  CHECK(cost.p95.expected.in(units::usd) == near(1.125 * 4096 * 2 * run.p95.in(units::hour)));
  CHECK(spare_share(std::nullopt) == 0);
}

TEST_CASE("settings of a request go before those of a file") {
  const RoutingSettings file{.scheme = RoutingScheme::ecmp, .qps = 4, .same_hash = true};
  const RoutingSettings both = overlaid(file, {.scheme = RoutingScheme::spray});
  CHECK(both == RoutingSettings{.scheme = RoutingScheme::spray, .qps = 4, .same_hash = true});
  CHECK(overlaid(file, {}) == file);

  const ReliabilitySettings fixed{.checkpoint = Seconds{600}, .stall = Seconds{3}};
  CHECK(overlaid(fixed, {}) == fixed);
  const ReliabilitySettings best = overlaid(fixed, {.optimal_checkpoint = true});
  CHECK_FALSE(best.checkpoint);
  CHECK(best.stall == Seconds{3});
  CHECK(overlaid({.visits = units::day}, {.repair = units::hour}).visits == std::nullopt);
}

TEST_CASE("a run that never finishes says so") {
  CHECK_THROWS_AS(answer(1e-5, {.stall = 100 * units::hour}), InfeasibleError);
}
