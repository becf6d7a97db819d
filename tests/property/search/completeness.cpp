// The search evaluates every legal strategy and nothing else, and returns exactly what sorting them
// all would: with pruning and without, on one thread and on many. Random models and machines.
#include <doctest/doctest.h>

#include "planner/perf/model/constraints.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("search() is the sorted list of all strategies, whatever the pruning and the threads") {
  Random random(31);
  int with_best = 0, with_miss = 0, empty = 0;
  for (int i = 0; i < 250; ++i) {
    CAPTURE(i);
    const Workload workload = random_workload(random);
    const SearchSpace space = random.coin() ? SearchSpace{} : all_closed_form_axes();
    const Objective objective = random.coin() ? Objective::time : Objective::memory;
    const auto top = static_cast<std::size_t>(random.pick({0, 1, 2, 5, 40}));
    const std::vector<Strategy> all = every_strategy(workload, space);
    const SearchResult expected = exhaustive(workload, all, objective, top);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2, 8}) {
        CAPTURE(prune);
        CAPTURE(threads);
        const SearchResult found = rank_strategies(
            workload, space,
            {.objective = objective, .top = top, .threads = threads, .prune = prune});
        CHECK(found.strategies == expected.strategies);
        CHECK(found.feasible == expected.feasible);
        CHECK(found.best.size() == expected.best.size());
        CHECK(found == expected);
      }
    }
    with_best += expected.best.empty() ? 0 : 1;
    with_miss += expected.closest_miss ? 1 : 0;
    empty += expected.strategies == 0 ? 1 : 0;
  }
  // The random cases cover all three outcomes.
  CHECK(with_best > 50);
  CHECK(with_miss > 20);
  CHECK(empty > 20);
}

TEST_CASE("ties are decided by the canonical order alone") {
  // With communication and parameters almost free, placements take exactly the same time, and so do
  // columns with the same micro-batch per tensor-parallel rank, in the same memory. With parameters
  // that dwarf all else, ZeRO makes columns tie that need too much memory.
  Random random(32);
  for (int i = 0; i < 100; ++i) {
    Workload workload = random_workload(random);
    workload.system.hb_bandwidth = workload.system.network_bandwidth = BytesPerSecond{1e300};
    workload.system.hb_latency = workload.system.network_latency = Seconds{};
    workload.system.accelerator.memory = random.coin() ? Bytes{1e30} : Bytes{1e-30};
    workload.run.bytes_per_parameter = random.coin() ? 1e-300 : 1e30;
    const SearchSpace space = all_closed_form_axes();
    const SearchResult expected =
        exhaustive(workload, every_strategy(workload, space), Objective::time, 50);
    for (const bool prune : {true, false}) {
      for (const int threads : {1, 2, 8}) {
        CHECK(rank_strategies(workload, space, {.top = 50, .threads = threads, .prune = prune}) ==
              expected);
      }
    }
  }
}

TEST_CASE("pipelines alone leave a pod: the strategies of the open space whose stages lie in one") {
  Random random(35);
  int refused = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    Workload workload = random_workload(random);
    const std::vector<Strategy> all = every_strategy(workload, {});
    const std::int64_t K = usable_hb_domain(workload.system.hb_domain, workload.gpus);
    workload.stage_limit = K * random.pick({1, 2, 4});
    std::vector<Strategy> inside;
    for (const Strategy& x : all) {
      const bool fits = K * x.tp.net * x.cp.net * x.dp.net <= *workload.stage_limit;
      CHECK(violations(workload, x).empty() == fits);
      if (fits) inside.push_back(x);
    }
    refused += inside.size() < all.size() ? 1 : 0;
    CHECK(rank_strategies(workload, {}, {.top = 5, .threads = 1}) ==
          exhaustive(workload, inside, Objective::time, 5));
  }
  CHECK(refused > 30);
}

TEST_CASE("violations() accepts all that is enumerated and rejects all else") {
  Random random(33);
  for (int i = 0; i < 12; ++i) {
    Workload workload = random_workload(random);
    workload.gpus = random.pick({1, 2, 4, 6, 8});
    workload.model.layers = random.pick({1, 4, 6});
    workload.run.global_batch = random.pick({2, 6, 8});
    const std::vector<Strategy> legal = every_strategy(workload, {});
    std::int64_t accepted = 0;
    // Every combination of integers up to N, l and B; degrees in (1 .. N)^6.
    const std::int64_t N = workload.gpus;
    Strategy x;
    for (x.tp.hb = 1; x.tp.hb <= N; ++x.tp.hb) {
      for (x.tp.net = 1; x.tp.net <= N; ++x.tp.net) {
        for (x.pp.hb = 1; x.pp.hb <= N; ++x.pp.hb) {
          for (x.pp.net = 1; x.pp.net <= N; ++x.pp.net) {
            for (x.dp.hb = 1; x.dp.hb <= N; ++x.dp.hb) {
              for (x.dp.net = 1; x.dp.net <= N; ++x.dp.net) {
                // Far too many GPUs are rejected by the first rule; sample those.
                const std::int64_t product = x.tp.total() * x.pp.total() * x.dp.total();
                if (product != N && random.below(64) != 0) continue;
                for (x.micro_batch = 1; x.micro_batch <= workload.run.global_batch;
                     ++x.micro_batch) {
                  for (x.interleave = 1; x.interleave <= workload.model.layers; ++x.interleave) {
                    if (violations(workload, x).empty()) ++accepted;
                  }
                }
              }
            }
          }
        }
      }
    }
    CHECK(accepted == static_cast<std::int64_t>(legal.size()));
    for (const Strategy& strategy : legal) {
      CHECK(violations(workload, strategy).empty());
      CHECK(strategy.tp.total() * strategy.pp.total() * strategy.dp.total() == N);
    }
  }
}

TEST_CASE("pinned axes: the strategies of the open space that obey the pins") {
  Random random(34);
  const auto some = [&random](std::initializer_list<std::int64_t> values) {
    return random.below(3) == 0 ? std::vector<std::int64_t>(values) : std::vector<std::int64_t>{};
  };
  const auto obeys = [](const std::vector<std::int64_t>& pinned, std::int64_t value) {
    return pinned.empty() || std::find(pinned.begin(), pinned.end(), value) != pinned.end();
  };
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const Workload workload = random_workload(random);
    SearchSpace space;
    space.pins.tp = some({1, 2, 4});
    space.pins.pp = some({1, 2, 3});
    space.pins.dp = some({1, 2, 4, 6});
    space.pins.tp_hb = some({1, 2});
    space.pins.pp_hb = some({1});
    space.pins.dp_hb = some({1, 2});
    space.pins.micro_batch = some({1, 2});
    space.pins.interleave = some({1, 2, 3});
    if (random.coin()) space.pins.max_tp = random.pick({1, 2, 8});
    std::vector<Strategy> obedient;
    for (const Strategy& x : every_strategy(workload, {})) {
      if (obeys(space.pins.tp, x.tp.total()) && obeys(space.pins.pp, x.pp.total()) &&
          obeys(space.pins.dp, x.dp.total()) && obeys(space.pins.tp_hb, x.tp.hb) &&
          obeys(space.pins.pp_hb, x.pp.hb) && obeys(space.pins.dp_hb, x.dp.hb) &&
          obeys(space.pins.micro_batch, x.micro_batch) &&
          obeys(space.pins.interleave, x.interleave) && x.tp.total() <= space.pins.max_tp) {
        obedient.push_back(x);
      }
    }
    CHECK(rank_strategies(workload, space, {.threads = 1}) ==
          exhaustive(workload, obedient, Objective::time, 5));
  }
}
