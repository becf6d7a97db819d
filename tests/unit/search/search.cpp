#include "planner/search/search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "planner/perf/closed_form/closed_form.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("the best are feasible and in order") {
  const Workload workload = gpt_1t_on_gh200();
  const SearchResult found = rank_strategies(workload, {}, {.top = 20});
  REQUIRE(found.best.size() == 20);
  CHECK(!found.closest_miss);
  CHECK(!found.interrupted);
  const ClosedForm model(workload);
  for (std::size_t i = 0; i < found.best.size(); ++i) {
    const Ranked& ranked = found.best[i];
    CHECK(ranked.memory <= 80 * units::GB);
    CHECK(ranked.time == model.evaluate(ranked.strategy).time.total());
    CHECK(ranked.memory == model.evaluate(ranked.strategy).memory.total());
    if (i > 0) CHECK(found.best[i - 1].time <= ranked.time);
  }
}

TEST_CASE("by memory: the smallest first, the faster of two equals first") {
  const SearchResult found =
      rank_strategies(gpt_1t_on_gh200(), {}, {.objective = Objective::memory});
  REQUIRE(found.best.size() == 5);
  for (std::size_t i = 1; i < found.best.size(); ++i) {
    const Ranked &before = found.best[i - 1], &after = found.best[i];
    CHECK(std::tie(before.memory, before.time) <= std::tie(after.memory, after.time));
  }
  CHECK(found.best.front().memory < rank_strategies(gpt_1t_on_gh200(), {}, {}).best.front().memory);
}

TEST_CASE("by cost: of equal GPUs the fastest is the cheapest, pruned or not") {
  const SearchResult by_time = rank_strategies(gpt_1t_on_gh200(), {}, {});
  for (const bool prune : {true, false}) {
    CHECK(rank_strategies(gpt_1t_on_gh200(), {}, {.objective = Objective::cost, .prune = prune}) ==
          by_time);
  }
}

TEST_CASE("top 0 counts and keeps nothing") {
  for (const bool prune : {true, false}) {
    for (const Objective objective : {Objective::time, Objective::memory}) {
      const SearchResult found = rank_strategies(
          gpt_1t_on_gh200(), {}, {.objective = objective, .top = 0, .prune = prune});
      CHECK(found.strategies == 31858);
      CHECK(found.feasible == 17664);
      CHECK(found.best.empty());
    }
  }
}

TEST_CASE("when nothing fits, the closest miss is the one that needs the least") {
  Workload workload = gpt_1t_on_gh200();
  workload.system.accelerator.memory = 500 * units::MB;
  const SearchResult found = rank_strategies(workload, {}, {});
  CHECK(found.strategies == 31858);
  CHECK(found.feasible == 0);
  CHECK(found.best.empty());
  REQUIRE(found.closest_miss);
  // With enough memory for all, the same strategy leads the ranking by memory.
  workload.system.accelerator.memory = Bytes{1e18};
  const SearchResult all =
      rank_strategies(workload, {}, {.objective = Objective::memory, .top = 1});
  CHECK(all.feasible == 31858);
  CHECK(found.closest_miss->memory == all.best.front().memory);
  CHECK(found.closest_miss->time ==
        ClosedForm(workload).evaluate(found.closest_miss->strategy).time.total());
}

TEST_CASE("a memory that a strategy fills exactly is enough") {
  Workload workload = gpt_1t_on_gh200();
  const Bytes need = rank_strategies(workload, {}, {.top = 1}).best.front().memory;
  workload.system.accelerator.memory = need;
  const SearchResult exact = rank_strategies(workload, {}, {.top = 1});
  CHECK(exact.best.front().memory == need);
  workload.system.accelerator.memory = Bytes{std::nextafter(need.si(), 0)};
  CHECK(rank_strategies(workload, {}, {.top = 1}).best.front().memory < need);
}

TEST_CASE("an empty space has no result, not even a miss") {
  Workload workload = gpt_1t_on_gh200();
  workload.gpus = 1000;
  CHECK(rank_strategies(workload, {}, {}) == SearchResult{});
  CHECK(rank_strategies(gpt_1t_on_gh200(), {.pins = {.tp = {3}}}, {}) == SearchResult{});
  CHECK(rank_strategies(gpt_1t_on_gh200(), {.recompute = {}}, {}) == SearchResult{});
}

TEST_CASE("ZeRO and full recomputation open what did not fit; every axis counts once") {
  Workload workload = gpt_1t_on_gh200();
  const SearchResult one = rank_strategies(workload, {}, {});
  const SearchResult all = rank_strategies(workload, all_closed_form_axes(), {});
  CHECK(all.strategies == 18 * 31858);  // 3 recompute modes, 3 ZeRO stages, SP on and off
  CHECK(all.best.front().time <= one.best.front().time);
}

TEST_CASE("progress counts every column once, whatever the threads") {
  const Workload workload = gpt_1t_on_gh200();
  const SearchSpace space;
  const auto total = static_cast<std::int64_t>(Enumeration(workload, space).columns().size());
  for (const int threads : {1, 2, 8}) {
    std::vector<std::int64_t> seen;
    rank_strategies(workload, space,
                    {.threads = threads, .progress = [&](const SearchProgress& progress) {
                       CHECK(progress.total == total);
                       seen.push_back(progress.done);
                     }});
    REQUIRE(seen.size() == static_cast<std::size_t>(total));
    for (std::size_t i = 0; i < seen.size(); ++i) {
      CHECK(seen[i] == static_cast<std::int64_t>(i) + 1);
    }
  }
}

TEST_CASE("a search that is stopped says so") {
  const std::atomic<bool> stop = true;
  for (const int threads : {1, 2}) {
    const SearchResult found =
        rank_strategies(gpt_1t_on_gh200(), {}, {.threads = threads, .stop = &stop});
    CHECK(found.interrupted);
    CHECK(found.strategies == 0);
  }
}

TEST_CASE("stopping midway leaves a part of the counts") {
  std::atomic<bool> stop = false;
  const SearchResult found = rank_strategies(
      gpt_1t_on_gh200(), {},
      {.threads = 1,
       .progress = [&](const SearchProgress& progress) { stop = progress.done >= 10; },
       .stop = &stop});
  CHECK(found.interrupted);
  CHECK(found.strategies > 0);
  CHECK(found.strategies < 31858);
}
