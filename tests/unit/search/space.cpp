#include "planner/search/space.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>

#include "planner/core/diagnostic.hpp"
#include "support/gpt.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

using Columns = std::vector<Column>;

/// Six layers, batch of four, sequence and hidden size that allow t of 1, 2, 4; four GPUs in
/// domains of two.
Workload small() {
  Workload workload{.model = gpt(6, 64, 4), .system = a100_cluster(), .gpus = 4};
  workload.system.hb_domain = 2;
  workload.run = {.global_batch = 4, .sequence = 4};
  return workload;
}

std::int64_t count(const Workload& workload, const SearchSpace& space) {
  const Enumeration enumeration(workload, space);
  std::size_t strategies = 0;
  for (const Column& column : enumeration.columns()) {
    strategies += enumeration.inner_pairs(column).size() * enumeration.placements(column).size();
  }
  return static_cast<std::int64_t>(strategies);
}

}  // namespace

TEST_CASE("columns: p·t·d = N with p | l, t | s, t | h, d | B; t ascending, then p") {
  const Workload workload = small();
  const SearchSpace space;
  CHECK(Enumeration(workload, space).columns() == Columns{{.tp = 1, .pp = 1, .dp = 4},
                                                          {.tp = 1, .pp = 2, .dp = 2},
                                                          {.tp = 2, .pp = 1, .dp = 2},
                                                          {.tp = 2, .pp = 2, .dp = 1},
                                                          {.tp = 4, .pp = 1, .dp = 1}});
}

TEST_CASE("pairs: b | B/d and v | l/p; b ascending, then v") {
  const Workload workload = small();
  const SearchSpace space;
  const auto pairs = Enumeration(workload, space).inner_pairs({.tp = 1, .pp = 2, .dp = 2});
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (const auto& [b, v] : pairs) found.emplace_back(b, v);
  CHECK(found == decltype(found){{1, 1}, {1, 3}, {2, 1}, {2, 3}});
}

TEST_CASE("placements: d_h·t_h·p_h = K; t_h ascending, then p_h") {
  const Workload workload = small();
  const SearchSpace space;
  const auto placements = Enumeration(workload, space).placements({.tp = 2, .pp = 1, .dp = 2});
  CHECK(placements == std::vector<Strategy>{{.tp = {1, 2}, .pp = {1, 1}, .dp = {2, 1}},
                                            {.tp = {2, 1}, .pp = {1, 1}, .dp = {1, 2}}});
}

TEST_CASE("GPT-1T on 32,768 GPUs: counts of an independent program (closed-form.md)") {
  CHECK(count(gpt_1t_on_gh200(256), {}) == 31858);
  CHECK(count(gpt_1t_on_gh200(256), {.pins = {.interleave = {1, 2, 4, 8}}}) == 26326);
  CHECK(count(gpt_1t_on_gh200(8), {}) == 16402);
  CHECK(count(gpt_1t_on_gh200(8), {.pins = {.interleave = {1, 2, 4, 8}}}) == 13270);
}

TEST_CASE("a pin leaves only what it names") {
  const Workload workload = small();
  SearchSpace space{.pins = {.tp = {2}}};
  CHECK(Enumeration(workload, space).columns().size() == 2);
  space.pins.pp = {1};
  CHECK(Enumeration(workload, space).columns() == Columns{{.tp = 2, .pp = 1, .dp = 2}});
  space.pins.dp = {4};
  CHECK(Enumeration(workload, space).columns().empty());
  const SearchSpace capped{.pins = {.max_tp = 2}};
  CHECK(Enumeration(workload, capped).columns().size() == 4);
}

TEST_CASE("pins of placement, micro-batch and interleaving") {
  const Workload workload = small();
  const Column column{.tp = 2, .pp = 1, .dp = 2};
  const SearchSpace space{.pins = {.tp_hb = {2}, .micro_batch = {2}, .interleave = {3}}};
  const Enumeration enumeration(workload, space);
  REQUIRE(enumeration.placements(column).size() == 1);
  CHECK(enumeration.placements(column).front().tp == Split{2, 1});
  REQUIRE(enumeration.inner_pairs(column).size() == 1);
  CHECK(enumeration.inner_pairs(column).front().micro_batch == 2);
  CHECK(enumeration.inner_pairs(column).front().interleave == 3);
}

TEST_CASE("values that divide nothing leave the space empty") {
  CHECK(count(small(), {.pins = {.tp = {3}}}) == 0);
  CHECK(count(small(), {.pins = {.interleave = {4}}}) == 0);
  CHECK(count(small(), {.pins = {.micro_batch = {3}}}) == 0);
  CHECK(count(small(), {.pins = {.tp_hb = {4}}}) == 0);
  Workload odd = small();
  odd.gpus = 5;
  CHECK(count(odd, {}) == 0);
}

TEST_CASE("an HB domain that does not divide the cluster is used in part") {
  Workload workload = small();
  workload.system.hb_domain = 3;  // of 3 GPUs 2 divide 4
  CHECK(count(workload, {}) == count(small(), {}));
  workload.system.hb_domain = 72;  // the domain is the cluster
  const SearchSpace space;
  for (const Strategy& strategy :
       Enumeration(workload, space).placements({.tp = 2, .pp = 1, .dp = 2})) {
    CHECK(strategy.tp.net * strategy.pp.net * strategy.dp.net == 1);
  }
}

TEST_CASE("all axes of the closed-form model") {
  const SearchSpace space = all_closed_form_axes();
  CHECK(space.recompute == std::vector{Recompute::none, Recompute::selective, Recompute::full});
  CHECK(space.zero == std::vector{0, 1, 2});
  CHECK(space.sequence_parallel == std::vector{true, false});
}

TEST_CASE("ZeRO 3 over all ranks, then over fewer and fewer") {
  Workload workload = small();
  workload.gpus = 16;
  workload.run.global_batch = 16;
  workload.timing = prior_calibration();
  const Column column{.tp = 1, .pp = 1, .dp = 16};
  const auto shards = [&](const SearchSpace& space) {
    std::vector<std::pair<int, std::int64_t>> found;
    for (const Strategy& setting : Enumeration(workload, space).settings(column)) {
      found.emplace_back(setting.zero, setting.shard_ranks);
    }
    return found;
  };
  using Shards = std::vector<std::pair<int, std::int64_t>>;
  CHECK(shards({.zero = {1, 3}}) == Shards{{1, 0}, {3, 0}, {3, 8}, {3, 4}, {3, 2}});
  CHECK(shards({.pins = {.shard_ranks = {2, 16}}, .zero = {1, 3}}) ==
        Shards{{1, 0}, {3, 0}, {3, 2}});
  CHECK(shards({.pins = {.shard_ranks = {3}}, .zero = {3}}).empty());
}

TEST_CASE("more columns than a search can keep are refused; one after the other they can be seen") {
  constexpr std::int64_t kManyDivisors = 963'761'198'400;
  Workload workload{.model = gpt(kManyDivisors, kManyDivisors, 64),
                    .system = a100_cluster(),
                    .gpus = kManyDivisors};
  workload.run = {.global_batch = kManyDivisors, .sequence = kManyDivisors};
  const SearchSpace space, pinned{.pins = {.pp = {16}}};
  const Enumeration enumeration(workload, space);
  CHECK_THROWS_AS(static_cast<void>(enumeration.columns()), UsageError);
  CHECK(Enumeration(workload, pinned).columns().size() <= kMostColumns);

  std::size_t seen = 0;
  enumeration.for_each_column([&seen](const Column&) { return ++seen < 10; });
  CHECK(seen == 10);
  std::atomic<bool> stop = false;
  const auto stop_in_time = [&](const Column&) {
    stop = ++seen >= 20;
    return true;
  };
  enumeration.for_each_column(stop_in_time, &stop);
  CHECK(seen >= 20);
  CHECK(seen < kMostColumns);
}
