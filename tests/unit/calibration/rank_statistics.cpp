#include "planner/calibration/rank_statistics.hpp"

#include <doctest/doctest.h>

#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

TEST_CASE("one group, by hand") {
  // Predicted best is the third, measured at 11 against 10. Of the pairs (1,2) agrees, (1,3) and
  // (2,3): measured 10 < 11 but predicted 5 > 4 disagrees, 12 > 11 and 6 > 4 agrees.
  const auto group = rank_agreement({{10, 5}, {12, 6}, {11, 4}});
  REQUIRE(group);
  CHECK(group->regret == near(0.1));
  CHECK(group->kendall_tau == near(1.0 / 3));
  CHECK(group->claim == near(-0.6));  // 4 is predicted, 10 the best measured
  CHECK(group->slower == near(11.0 / 4 - 1));
  CHECK(group->all_slower == near((10.0 / 5 + 12.0 / 6 + 11.0 / 4) / 3 - 1));
  CHECK(!rank_agreement({{1, 1}}));
}

TEST_CASE("a tie agrees with nothing") {
  CHECK(rank_agreement({{1, 2}, {3, 2}})->kendall_tau == 0);
  CHECK(rank_agreement({{1, 2}, {3, 2}})->regret == 0);
}

TEST_CASE("groups of three or more count") {
  const std::vector<RankedTime> right{{1, 1}, {2, 2}, {3, 3}}, wrong{{2, 1}, {1, 2}, {4, 3}};
  const RankStatistics all = rank_statistics({right, wrong, {{1, 2}, {2, 1}}, {}});
  CHECK(all.groups == 2);
  CHECK(all.mean_regret == near(0.5));
  CHECK(all.within_5_pct == near(0.5));
  CHECK(all.kendall_tau == near((1 + 1.0 / 3) / 2));
  CHECK(rank_statistics({}) == RankStatistics{});
  REQUIRE(all.curse);
  CHECK(all.curse->mean_slower == near(0.5));  // 0 and 2/1 - 1
  CHECK(all.curse->all_mean_slower == near((0 + (1 - 0.5 + 1.0 / 3) / 3) / 2));
  CHECK(all.curse->mean_claim == near(0));  // 1 of 1 in both
}
