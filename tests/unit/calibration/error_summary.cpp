#include "planner/calibration/error_summary.hpp"

#include <doctest/doctest.h>

#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

TEST_CASE("quantiles interpolate between neighbours") {
  CHECK(quantile({}, 0.5) == 0);
  CHECK(quantile({7}, 0.9) == 7);
  CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  CHECK(quantile({1, 2, 3, 4}, 0) == 1);
  CHECK(quantile({1, 2, 3, 4}, 1) == 4);
  CHECK(quantile({0, 10, 20, 30, 40, 50}, 0.9) == 45);  // at place 4.5
}

TEST_CASE("a summary of errors, by hand") {
  // Sizes 0.01 0.02 0.03 0.04 0.10: median 0.03, mean 0.04, p90 at place 3.6: 0.04 + 0.6·0.06.
  const ErrorSummary summary = summarise({-0.04, 0.01, -0.02, 0.10, -0.03});
  CHECK(summary.count == 5);
  CHECK(summary.median == 0.03);
  CHECK(summary.mean == near(0.04));
  CHECK(summary.p90 == near(0.076));
  CHECK(summary.max == 0.10);
  CHECK(summary.bias == -0.02);
  CHECK(summarise({}) == ErrorSummary{});
}
