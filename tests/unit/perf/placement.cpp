#include "planner/perf/model/placement.hpp"

#include <doctest/doctest.h>

using namespace planner;

namespace {

Strategy placed(std::int64_t tp, std::int64_t cp, std::int64_t dp, std::int64_t pp,
                std::int64_t hb_domain) {
  return placed_contiguously({.tp = {1, tp}, .pp = {1, pp}, .dp = {1, dp}, .cp = {1, cp}},
                             hb_domain);
}

}  // namespace

TEST_CASE("tensor parallelism fills the domain first, then context, data, pipeline") {
  const Strategy one = placed(2, 2, 4, 4, 8);
  CHECK(one.tp == Split{2, 1});
  CHECK(one.cp == Split{2, 1});
  CHECK(one.dp == Split{2, 2});
  CHECK(one.pp == Split{1, 4});
  CHECK(placed(16, 1, 2, 1, 8).tp == Split{8, 2});
  CHECK(placed(16, 1, 2, 1, 8).dp == Split{1, 2});
  CHECK(placed(2, 1, 2, 4, 8).pp == Split{2, 2});
  CHECK(placed(1, 1, 4, 4, 72).pp == Split{4, 1});
}

TEST_CASE("the largest divisor that fits; the rest of the domain stays empty") {
  CHECK(placed(1, 1, 12, 2, 8).dp == Split{6, 2});
  CHECK(placed(1, 1, 12, 2, 8).pp == Split{1, 2});
  CHECK(placed(3, 1, 8, 1, 8).dp == Split{2, 4});
  CHECK(placed(1, 1, 7, 1, 4).dp == Split{1, 7});
}

TEST_CASE("experts start anew, their tensor parallelism innermost") {
  Strategy strategy{.tp = {1, 4}, .dp = {1, 16}, .ep = {1, 16}, .expert_tp = 2};
  CHECK(placed_contiguously(strategy, 8).ep == Split{4, 4});
  strategy.expert_tp = 16;
  CHECK(placed_contiguously(strategy, 8).ep == Split{1, 16});
}
