// Strategies as somebody asks for them: the one of `estimate`, the space of `optimize`.
#include "planner/job/strategy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "planner/core/diagnostic.hpp"
#include "planner/job/what_binds.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/search/least_times.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

namespace {

Workload on_gpus(std::int64_t gpus) {
  return {.model = gpt_22b(),
          .system = a100_cluster(),
          .run = {.global_batch = 64, .sequence = 2048},
          .gpus = gpus};
}

Strategy asked(const StrategyChoice& choice, std::int64_t gpus = 64) {
  return asked_strategy(choice, on_gpus(gpus));
}

}  // namespace

TEST_CASE("data parallelism follows from the other degrees where it can") {
  CHECK(asked({.pins = {.tp = {8}, .pp = {2}}}).dp.total() == 4);
  CHECK(asked({.pins = {.tp = {4}, .cp = {2}}}).dp.total() == 8);
  CHECK(asked({.pins = {.tp = {8}, .pp = {2}, .dp = {3}}}).dp.total() == 3);
  CHECK(asked({.pins = {.tp = {7}}}).dp.total() == 1);  // 7 does not divide 64
  CHECK(asked({}).dp.total() == 64);
}

TEST_CASE("what nobody says of a strategy is the usual") {
  CHECK(asked({.pins = {.tp = {8}}}) == Strategy{.tp = {.net = 8}, .dp = {.net = 8}});
  const Strategy told = asked({.pins = {.tp = {8}, .micro_batch = {4}, .interleave = {2}},
                               .zero = {1},
                               .recompute = {Recompute::full},
                               .sequence_parallel = false});
  CHECK(told.interleave == 2);
  CHECK(told.micro_batch == 4);
  CHECK(told.zero == 1);
  CHECK(told.recompute == Recompute::full);
  CHECK_FALSE(told.sequence_parallel);
}

TEST_CASE(
    "selective recomputation that is asked for is that of the software too, not modules alone") {
  Workload workload = on_gpus(64);
  workload.timing = prior_calibration();
  workload.software = software_of(SoftwareClass::te);
  const SearchSpace all = search_space({}, workload);
  const SearchSpace asked = search_space({.recompute = {Recompute::selective}}, workload);
  CHECK(asked.recompute == std::vector{Recompute::selective});
  REQUIRE(asked.recompute_modules.size() == all.recompute_modules.size() + 1);
  CHECK(asked.recompute_modules.front() == RecomputeModules{});
  // Named ones are held to.
  const RecomputeModules norms{RecomputeModule::layernorm};
  CHECK(search_space({.recompute_modules = norms}, workload).recompute_modules ==
        std::vector{norms});
}

TEST_CASE("a job on a slice of a torus is not cut into slices that talk over the network") {
  Workload workload = on_gpus(64);
  workload.timing = prior_calibration();
  workload.software = software_of(SoftwareClass::jax);
  workload.system.hb_domain = 64;
  workload.system.hb_bandwidth = 400 * units::GBps;
  workload.system.accelerator.memory_bandwidth = 1640 * units::GBps;
  workload.system.torus = DomainTorus{.shape = {8, 8}, .ring_from = 16};
  const StrategyChoice choice{.pins = {.tp = {4}, .pp = {2}, .micro_batch = {2}}, .zero = {2}};
  const SearchSpace space = search_space(choice, workload);
  const auto placed = place_in_domains(workload, space, asked_strategy(choice, workload));
  REQUIRE(placed);
  CHECK(workload.system.hb_domain == 64);
  for (const Split& axis : {placed->tp, placed->pp, placed->dp}) CHECK(axis.net == 1);
  CHECK(!search_domains(workload, space, {}).best.empty());
  CHECK(workload.system.hb_domain == 64);
}

TEST_CASE("ranks that shards are on ask for ZeRO 3; all of them are no choice") {
  CHECK(asked({.pins = {.tp = {8}, .shard_ranks = {4}}}).zero == 3);
  CHECK(asked({.pins = {.tp = {8}, .shard_ranks = {4}}}).replicas() == 2);
  CHECK(asked({.pins = {.tp = {8}, .shard_ranks = {8}}}).shard_ranks == 0);
  CHECK_THROWS_WITH_AS(asked({.pins = {.shard_ranks = {4}}, .zero = {2}}),
                       "--shard-ranks: only ZeRO 3 shards weights", UsageError);
  CHECK(search_space({.pins = {.shard_ranks = {4}}}, on_gpus(64)).zero == std::vector{3});
  CHECK_THROWS_AS(search_space({.pins = {.shard_ranks = {4}}, .zero = {0, 3}}, on_gpus(64)),
                  UsageError);
}

TEST_CASE("one strategy has one value of each axis") {
  CHECK_THROWS_WITH_AS(asked({.pins = {.tp = {4, 8}}}), "--tp: estimate takes one value",
                       UsageError);
  CHECK_THROWS_WITH_AS(asked({.recompute = {Recompute::none, Recompute::full}}),
                       "--recompute: estimate takes one value", UsageError);
}

TEST_CASE("a schedule and the chunks that it takes agree") {
  const auto strategy = [](Schedule schedule, std::vector<std::int64_t> chunks) {
    return asked({.pins = {.pp = {4}, .interleave = std::move(chunks)}, .schedule = schedule});
  };
  CHECK(strategy(Schedule::zero_bubble_2p, {}).schedule() == Schedule::zero_bubble_2p);
  CHECK(strategy(Schedule::interleaved, {2}).schedule() == Schedule::interleaved);
  CHECK_THROWS_WITH_AS(strategy(Schedule::interleaved, {}),
                       "--schedule interleaved needs --interleave 2 or more", UsageError);
  CHECK_THROWS_AS(strategy(Schedule::zero_bubble_1p, {2}), UsageError);

  const SearchSpace chunked = search_space(
      {.pins = {.interleave = {1, 2, 4}}, .schedule = Schedule::interleaved}, on_gpus(64));
  CHECK(chunked.pins.interleave == std::vector<std::int64_t>{2, 4});
  CHECK(chunked.least_interleave == 2);
  const SearchSpace plain = search_space({.schedule = Schedule::zero_bubble_1p}, on_gpus(64));
  CHECK(plain.pins.interleave == std::vector<std::int64_t>{1});
  CHECK(plain.without_interleaving == Schedule::zero_bubble_1p);
  CHECK_THROWS_AS(
      search_space({.pins = {.interleave = {1}}, .schedule = Schedule::interleaved}, on_gpus(64)),
      UsageError);
}

TEST_CASE("the calibrated model's axes are open, those of the closed form where asked for") {
  CHECK(search_space({}, on_gpus(64)) == SearchSpace{});
  CHECK(search_space({.all_axes = true}, on_gpus(64)) == all_closed_form_axes());
  Workload calibrated = on_gpus(64);
  calibrated.timing = prior_calibration();
  CHECK(search_space({}, calibrated) == all_calibrated_axes(calibrated));
  const SearchSpace pinned = search_space(
      {.pins = {.max_tp = 4}, .zero = {1}, .recompute = {Recompute::full}}, calibrated);
  CHECK(pinned.zero == std::vector{1});
  CHECK(pinned.recompute == std::vector{Recompute::full});
  CHECK(pinned.pins.max_tp == 4);
}

TEST_CASE("what binds is what a tenth more of makes faster, the largest effect first") {
  const Workload workload = on_gpus(64);
  const SearchSpace space = search_space({}, workload);
  const SearchResult found = search_all(workload, space, {.top = 1});
  const Plan best = make_plan(workload, found.best.front().strategy);
  LeastTimes least(workload, space, LeastTimes::Counting::messages);
  const std::vector<Sensitivity> binding = what_binds(workload, space, {}, best, least);
  std::set<std::string> resources;
  for (const Sensitivity& one : binding) {
    resources.insert(one.resource);
    CHECK(one.change <= 0);
    CHECK(one.change >= -kSensitivityStep);
    CHECK(one.time / best.time.total() - 1 == one.change);
  }
  CHECK(resources ==
        std::set<std::string>{"peak FLOP/s", "HB bandwidth", "network bandwidth", "memory"});
  CHECK(std::ranges::is_sorted(binding, {}, &Sensitivity::change));
  CHECK(binding.front().resource == "peak FLOP/s");
  CHECK(binding.front().change < -0.05);
}

TEST_CASE("a part of a search is no answer") {
  const Workload workload = on_gpus(64);
  const std::atomic<bool> stopped = true;
  CHECK_THROWS_AS(search_all(workload, search_space({}, workload), {.stop = &stopped}),
                  Interrupted);
}
