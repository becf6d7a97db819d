// The search under the calibrated model: all axes, every legal strategy, exactly what sorting them
// all would return, with pruning and without, on one thread and on many.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the front of time against memory is that of all calibrated strategies") {
  Random random(72);
  std::size_t longest = 0;
  for (int i = 0; i < 12; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    const SearchSpace space = all_calibrated_axes(workload);
    const Objective objective = random.coin() ? Objective::time : Objective::memory;
    const SearchResult expected =
        exhaustive(workload, every_calibrated_strategy(workload, space), objective, 3, true);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2, 8}) {
        CAPTURE(prune);
        CAPTURE(threads);
        CHECK(rank_strategies(workload, space,
                              {.objective = objective,
                               .top = 3,
                               .threads = threads,
                               .front = true,
                               .prune = prune}) == expected);
      }
    }
    const SearchOptions uncounted{.objective = objective, .top = 3, .front = true, .count = false};
    CHECK(rank_strategies(workload, space, uncounted) == SearchResult{.best = expected.best,
                                                                      .fastest = expected.fastest,
                                                                      .front = expected.front});
    longest = std::max(longest, expected.front.size());
  }
  CHECK(longest > 8);
}

TEST_CASE("search() is the sorted list of all calibrated strategies") {
  Random random(71);
  int with_best = 0, with_miss = 0, with_experts = 0, with_context = 0, fewer = 0;
  for (int i = 0; i < 48; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    SearchSpace space = all_calibrated_axes(workload);
    if (random.coin()) space.recompute = {Recompute::full};
    space.recomputed_layers = 0.25 * static_cast<double>(random.pick({1, 2, 4}));
    const Objective objective = random.coin() ? Objective::time : Objective::memory;
    const auto top = static_cast<std::size_t>(random.pick({1, 2, 5, 40}));
    const SearchResult expected =
        exhaustive(workload, every_calibrated_strategy(workload, space), objective, top);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2, 8}) {
        CAPTURE(prune);
        CAPTURE(threads);
        CHECK(rank_strategies(
                  workload, space,
                  {.objective = objective, .top = top, .threads = threads, .prune = prune}) ==
              expected);
      }
    }
    CHECK(rank_strategies(workload, space, {.objective = objective, .top = top, .count = false}) ==
          SearchResult{.best = expected.best, .fastest = expected.fastest});
    const double far = static_cast<double>(random.pick({100, 102, 110, 200})) / 100;
    const auto value = [&](const Ranked& one) {
      return objective == Objective::memory ? one.memory.si() : one.value(fit_rule(workload)).si();
    };
    std::vector<Ranked> near = expected.best;
    std::erase_if(
        near, [&](const Ranked& one) { return value(one) > far * value(expected.best.front()); });
    fewer += near.size() < expected.best.size() ? 1 : 0;
    for (const int threads : {1, 2}) {
      CHECK(rank_strategies(workload, space,
                            {.objective = objective,
                             .top = top,
                             .within = far,
                             .threads = threads,
                             .count = false}) ==
            SearchResult{.best = near, .fastest = expected.fastest});
    }
    if (!expected.best.empty()) {
      // A known time only helps the pruning.
      const Seconds best = expected.best.front().value(fit_rule(workload));
      if (objective == Objective::time) {
        for (const bool count : {true, false}) {
          const SearchOptions options{.top = 1, .count = count, .known_time = best};
          const SearchResult known = rank_strategies(workload, space, options);
          REQUIRE(!known.best.empty());
          CHECK(known.best.front() == expected.best.front());
        }
      }
      ++with_best;
    }
    with_miss += expected.closest_miss ? 1 : 0;
    for (const Ranked& ranked : expected.best) {
      with_experts += ranked.strategy.ep.total() > 1 ? 1 : 0;
      with_context += ranked.strategy.cp.total() > 1 ? 1 : 0;
    }
  }
  CHECK(with_best > 15);
  CHECK(with_miss > 2);
  CHECK(with_experts > 20);
  CHECK(with_context > 20);
  CHECK(fewer > 8);
}

TEST_CASE("a part of a degree need not go with the key-value heads: of six ranks two in a domain") {
  Random random(73);
  int apart = 0;
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    Workload workload = random_calibrated_workload(random);
    TransformerSpec& model = workload.model;
    model.heads = random.pick({6, 12});
    model.kv_heads = random.pick({3, 6});
    model.hidden = model.heads * 64;
    model.head_dim = 64;
    model.ffn_hidden = 4 * model.hidden;
    model.layers = random.pick({1, 2});
    workload.gpus = 12;
    if (!workload.system.host) workload.system.hb_domain = random.pick({2, 4});
    SearchSpace space = all_calibrated_axes(workload);
    space.recompute = {Recompute::full};
    const std::vector<Strategy> all = every_calibrated_strategy(workload, space);
    for (const Strategy& each : all) {
      const std::int64_t inside = each.tp.hb;
      apart += model.kv_heads % inside != 0 && inside % model.kv_heads != 0 ? 1 : 0;
    }
    CHECK(rank_strategies(workload, space, {.top = 2, .threads = 1}) ==
          exhaustive(workload, all, Objective::time, 2));
  }
  CHECK(apart > 50);
}

// Under zero bubbles and full recomputation a micro-batch that waits for its weight gradients holds
// more than one in flight, and fewer than there are stages wait where micro-batches are few.
TEST_CASE("a larger micro-batch that needs less memory than all smaller ones is timed") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Random random(74);
  int less = 0;
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    SearchSpace space = all_calibrated_axes(workload);
    space.without_interleaving = Schedule::zero_bubble_1p;
    space.recompute = {Recompute::full};
    const Enumeration enumeration(workload, space);
    for (const Column& column : enumeration.columns()) {
      const auto pairs = enumeration.inner_pairs(column);
      const auto placements = enumeration.placements(column);
      if (pairs.empty() || placements.empty()) continue;
      CalibratedKernel kernel(workload);
      kernel.start(column, pairs, placements, workload.run.global_batch / column.dp);
      std::vector<double> bytes(kernel.padded_size()), seconds(kernel.padded_size());
      for (const Strategy& setting : enumeration.settings(column)) {
        const Strategy at = placed_as(placements.front(), setting);
        kernel.memories(at, kInfinity, bytes);
        const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(pairs.size());
        const auto leanest =
            static_cast<std::size_t>(std::min_element(bytes.begin(), end) - bytes.begin());
        if (pairs[leanest].micro_batch == pairs.front().micro_batch) continue;
        ++less;
        const double only_that = bytes[leanest];
        kernel.memories(at, only_that, bytes);
        REQUIRE(kernel.times(at, 0, kInfinity, bytes, only_that, seconds));
        CHECK(seconds[leanest] > 0);
        CHECK(seconds[leanest] < kInfinity);
      }
    }
  }
  CHECK(less > 0);
}

// Of each ZeRO stage what its leanest strategy needs is no less than the stage alone holds, and of
// large models hardly more.
TEST_CASE("a ZeRO stage may fit where a strategy does, and few others do") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Random random(75);
  int stages_seen = 0, left_out = 0;
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const Workload workload = random_calibrated_workload(random);
    SearchSpace space = all_calibrated_axes(workload);
    if (random.coin()) space.without_interleaving = Schedule::zero_bubble_1p;
    const Enumeration enumeration(workload, space);
    for (const Column& column : enumeration.columns()) {
      const auto pairs = enumeration.inner_pairs(column);
      const auto placements = enumeration.placements(column);
      if (pairs.empty() || placements.empty()) continue;
      CalibratedKernel kernel(workload);
      kernel.start(column, pairs, placements, workload.run.global_batch / column.dp);
      std::vector<double> bytes(kernel.padded_size());
      for (const Sharding& stage : enumeration.shardings(column)) {
        double leanest = kInfinity;
        for (const Strategy& setting : enumeration.settings(column)) {
          if (Sharding{setting.zero, setting.shard_ranks} != stage) continue;
          kernel.memories(placed_as(placements.front(), setting), kInfinity, bytes);
          const auto end = bytes.begin() + static_cast<std::ptrdiff_t>(pairs.size());
          leanest = std::min(leanest, *std::min_element(bytes.begin(), end));
        }
        ++stages_seen;
        const auto fits = [&](double capacity) {
          return !kernel.may_fit(placements.front(), {stage}, capacity).empty();
        };
        CHECK(fits(leanest));
        left_out += fits(0.98 * leanest) ? 0 : 1;
      }
    }
  }
  CHECK(stages_seen > 500);
  CHECK(left_out > 100);
}
