// The strategy space of GPT-1T on 32,768 GH200 GPUs: counts and optima of an independent program
// that enumerates Eqs. 11-19 of the rail-only paper (arXiv 2307.12169), whose §C says O(10,000).
#include <doctest/doctest.h>

#include "planner/search/search.hpp"
#include "support/gpt.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

struct Case {
  std::int64_t hb_domain;
  double memory_GB, bytes_per_parameter;
  std::vector<std::int64_t> interleave;
  std::int64_t strategies, feasible;
  Strategy best;
  double time_s;
};

}  // namespace

TEST_CASE("rail-only paper: GPT-1T on 32,768 GPUs: every strategy counted, the best one found") {
  const std::vector<Case> cases = {
      {256,
       80,
       18,
       {},
       31858,
       17664,
       {.tp = {16, 1}, .pp = {1, 32}, .dp = {16, 4}, .interleave = 4, .micro_batch = 1},
       3.02635},
      {256,
       96,
       4,
       {1, 2, 4, 8},
       26326,
       19228,
       {.tp = {16, 1}, .pp = {1, 8}, .dp = {16, 16}, .interleave = 8, .micro_batch = 1},
       2.87979},
      {8,
       80,
       18,
       {},
       16402,
       9106,
       {.tp = {8, 2}, .pp = {1, 32}, .dp = {1, 64}, .interleave = 4, .micro_batch = 1},
       3.42119},
      {8,
       96,
       4,
       {1, 2, 4, 8},
       13270,
       9577,
       {.tp = {8, 2}, .pp = {1, 32}, .dp = {1, 64}, .interleave = 4, .micro_batch = 1},
       3.42119},
  };
  for (const Case& c : cases) {
    CAPTURE(c.hb_domain);
    CAPTURE(c.bytes_per_parameter);
    const Workload workload =
        gpt_1t_on_gh200(c.hb_domain, c.memory_GB * units::GB, c.bytes_per_parameter);
    const SearchResult result =
        rank_strategies(workload, {.pins = {.interleave = c.interleave}}, {});
    CHECK(result.strategies == c.strategies);
    CHECK(result.feasible == c.feasible);
    REQUIRE(!result.best.empty());
    CHECK(result.best.front().strategy == c.best);
    CHECK(result.best.front().time.si() == near(c.time_s, 2e-6));
  }
}
