// What routing does to the timing models: factors of 1 nothing, larger ones only to what crosses
// the network.
#include <doctest/doctest.h>

#include <algorithm>

#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

RoutingFactors uniform(double slowdown) {
  return uniform_factors(slowdown);
}

/// The time of one strategy under each of the factors, the network's tiers aside.
IterationBreakdown timed(Workload workload, const Strategy& strategy,
                         std::optional<RoutingFactors> routing) {
  workload.network_tiers.clear();
  workload.routing = std::move(routing);
  return evaluate(workload, strategy).time;
}

struct Drawn {
  Workload workload;
  Strategy strategy;
};

Drawn draw(Random& random) {
  Drawn drawn{.workload =
                  random.coin() ? random_workload(random) : random_calibrated_workload(random)};
  drawn.strategy = random_strategy(random, drawn.workload);
  return drawn;
}

}  // namespace

TEST_CASE("factors of 1 leave every term of both models untouched, bit for bit") {
  Random random(61);
  for (int i = 0; i < 500; ++i) {
    const auto [workload, strategy] = draw(random);
    CHECK(timed(workload, strategy, uniform(1)) == timed(workload, strategy, std::nullopt));
    CHECK(timed(workload, strategy, RoutingFactors{}) == timed(workload, strategy, std::nullopt));
  }
}

TEST_CASE("factors stand in the place of the network's tiers") {
  Random random(62);
  for (int i = 0; i < 200; ++i) {
    auto [workload, strategy] = draw(random);
    workload.network_tiers = {{.gpus = 1, .bandwidth_share = 0.25}};
    workload.routing = uniform(1);
    CHECK(evaluate(workload, strategy).time == timed(workload, strategy, std::nullopt));
    workload.routing = uniform(4);
    CHECK(evaluate(workload, strategy).time == timed(workload, strategy, uniform(4)));
  }
}

TEST_CASE("a slower network never trains faster, and computes and stores as before") {
  Random random(63);
  int slower = 0;
  for (int i = 0; i < 500; ++i) {
    const auto [workload, strategy] = draw(random);
    const IterationBreakdown before = timed(workload, strategy, uniform(1.1));
    const IterationBreakdown after = timed(workload, strategy, uniform(3));
    CHECK(after.total() >= before.total() * (1 - 1e-12));
    CHECK(after.last_stage_compute == before.last_stage_compute);
    CHECK(after.optimizer == before.optimizer);
    slower += after.total() > before.total() ? 1 : 0;
  }
  CHECK(slower > 100);
}

TEST_CASE("S times as long on the network is what a network of 1/S the bandwidth takes") {
  Random random(64);
  for (int i = 0; i < 300; ++i) {
    const auto [workload, strategy] = draw(random);
    const double S = random.scale(1, 5);
    Workload narrow = workload;
    narrow.system.network_bandwidth = workload.system.network_bandwidth / S;
    const double with = timed(workload, strategy, uniform(S)).total().si();
    const double without = timed(narrow, strategy, std::nullopt).total().si();
    CHECK(with == doctest::Approx(without).epsilon(1e-9));
  }
}

TEST_CASE("each axis takes the factor of its own groups: kind, stride and ranks") {
  // K = 8, tp 8 × 2, dp 1 × 4, pp 1 × 2.
  Random random(65);
  Workload workload = random_workload(random);
  workload.gpus = 128;
  workload.system.hb_domain = 8;
  workload.system.network_bandwidth = 60 * units::GBps;
  workload.network_tiers.clear();
  class Told : public GroupSlowdowns {
   public:
    [[nodiscard]] double of(const GroupFlows& groups) const override {
      if (groups == GroupFlows{FlowKind::ring, 8, 2}) return 1.5;
      if (groups == GroupFlows{FlowKind::ring, 16, 4}) return 2;
      if (groups == GroupFlows{FlowKind::line, 64, 2}) return 3;
      return 9;
    }
  };
  workload.routing = RoutingFactors(std::make_shared<const Told>());
  const Strategy spread{.tp = {8, 2}, .pp = {1, 2}, .dp = {1, 4}};
  const ClosedForm::GroupLinks links = ClosedForm(workload).group_links(spread);
  CHECK(links.tp.net.in(units::GBps) == doctest::Approx(40));
  CHECK(links.dp.net.in(units::GBps) == doctest::Approx(30));
  CHECK(links.pp.net.in(units::GBps) == doctest::Approx(20));
  // Data-parallel neighbours in domains next to each other form one ring.
  const Strategy close{.tp = {8, 1}, .pp = {1, 8}, .dp = {1, 2}};
  CHECK(ClosedForm(workload).group_links(close).dp.net.in(units::GBps) == doctest::Approx(40));
}

TEST_CASE("against the routing that a calibration was measured under") {
  Random random(66);
  for (int i = 0; i < 50; ++i) {
    const RoutingFactors factors = random_factors(random);
    const RoutingFactors same = relative(factors, factors);
    for (const FlowKind kind : {FlowKind::ring, FlowKind::all_to_all, FlowKind::line}) {
      for (const std::int64_t ranks : {1, 4, 16, 64, 1000}) {
        const GroupFlows groups{kind, 8, ranks};
        CHECK(same.slowdown(groups) == 1);
        CHECK(relative(factors, RoutingFactors{}).slowdown(groups) == factors.slowdown(groups));
      }
    }
  }
}

TEST_CASE("what storage leaves of the network is what a narrower network has") {
  Random random(67);
  for (int i = 0; i < 300; ++i) {
    auto [workload, strategy] = draw(random);
    Workload shared = workload;
    shared.storage_traffic = BytesPerSecond{};
    CHECK(evaluate(shared, strategy).time == evaluate(workload, strategy).time);
    const double taken = random.scale(1, 9) / 10;
    shared.storage_traffic = taken * workload.system.network_bandwidth;
    workload.system.network_bandwidth = (1 - taken) * workload.system.network_bandwidth;
    CHECK(evaluate(shared, strategy).time.total().si() ==
          doctest::Approx(evaluate(workload, strategy).time.total().si()).epsilon(1e-9));
  }
}

TEST_CASE("of the orders of ranks the faster is taken, and only where there is a choice") {
  Random random(68);
  int choices = 0, replicas = 0;
  for (int i = 0; i < 2000; ++i) {
    auto [workload, strategy] = draw(random);
    workload.network_tiers.clear();
    workload.routing = random_factors(random);
    const Strategy best = in_best_order(workload, strategy);
    const auto time = [&](std::optional<Outermost> axis) {
      Strategy ordered = strategy;
      ordered.outermost = axis;
      return evaluate(workload, ordered).time.total();
    };
    CHECK(evaluate(workload, best).time.total() <= time(std::nullopt) * (1 + 1e-12));
    CHECK(time(Outermost::pipeline) == time(std::nullopt));
    if (!best.outermost) continue;
    ++choices;
    replicas += best.replicas_outermost() ? 1 : 0;
    CHECK(strategy.pp.net > 1);
    CHECK(strategy.dp.net > 1);
    const Seconds least = std::min(time(Outermost::pipeline), time(Outermost::data));
    CHECK(evaluate(workload, best).time.total().si() == doctest::Approx(least.si()).epsilon(1e-12));
    workload.routing.reset();
    CHECK_FALSE(in_best_order(workload, strategy).outermost.has_value());
  }
  CHECK(choices > 100);
  CHECK(replicas > 20);
  CHECK(replicas < choices);
}

TEST_CASE("what shows of communication is what the breakdown has, and no more than there is") {
  Random random(69);
  int hidden = 0;
  for (int i = 0; i < 500; ++i) {
    auto [workload, strategy] = draw(random);
    const IterationBreakdown at = evaluate(workload, strategy).time;
    const CommunicationTimes times = communication_times(workload, strategy);
    CHECK(times.tp.exposed == at.last_stage_tp_communication);
    CHECK(times.pp.exposed == at.bubble_communication + at.last_stage_pp_communication);
    CHECK(times.dp.exposed == at.sync);
    CHECK(times.cp.exposed == at.cp_communication);
    CHECK(times.ep.exposed == at.ep_communication);
    for (const CommunicationTime& one : {times.tp, times.pp, times.cp, times.ep}) {
      CHECK(one.exposed <= one.all * (1 + 1e-9));
      hidden += one.exposed < one.all * (1 - 1e-9) ? 1 : 0;
    }
    // A network without S is never slower, nor has more to communicate.
    workload.network_tiers.clear();
    workload.routing = uniform(1);
    const CommunicationTimes balanced = communication_times(workload, strategy);
    workload.routing = random_factors(random);
    const CommunicationTimes routed = communication_times(workload, strategy);
    CHECK(routed.dp.all >= balanced.dp.all * (1 - 1e-12));
    CHECK(routed.pp.all >= balanced.pp.all * (1 - 1e-12));
    CHECK(routed.ep.all >= balanced.ep.all * (1 - 1e-12));
  }
  CHECK(hidden > 10);
}
