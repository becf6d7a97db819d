#include "planner/calibration/intervals.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

TEST_CASE("weighted quantiles") {
  CHECK(weighted_quantile({{1, 1}, {2, 1}, {3, 1}}, 0.5) == 2);
  // Middles of the weights at 0.125 and 0.625: a quarter of the way.
  CHECK(weighted_quantile({{10, 1}, {20, 3}}, 0.25) == near(12.5));
  CHECK(weighted_quantile({{1, 1}, {2, 1}}, 0) == 1);
  CHECK(weighted_quantile({{1, 1}, {2, 1}}, 1) == 2);
  CHECK(weighted_quantile({}, 0.5) == 0);
}

TEST_CASE("intervals widen until they hold sources that they were not taken from") {
  std::vector<MeasuredRow> rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back({.id = "r", .source_key = "s" + std::to_string(i % 4), .run = MeasuredRun{}});
  }
  std::vector<RowResidual> residuals;
  for (int i = 0; i < 100; ++i) {
    residuals.push_back({.row = &rows[static_cast<std::size_t>(i)], .residual = i / 100.0});
  }
  const Intervals found = kept_out_intervals(residuals);
  REQUIRE(found.classes.size() == 2);  // any generation, and the one there is
  CHECK(found.dense.held >= kIntervalShare);
  CHECK(found.moe == Coverage{});
  CHECK(found.classes[0].rows == 100);
  const CoverageByKind kinds = coverage_by_kind(residuals, found.inside);
  CHECK(kinds.dense == found.dense);
  CHECK(kinds.all == found.dense);
  CHECK(kinds.core == Coverage{});
  REQUIRE(kinds.by_source.size() == 4);
  double held = 0;
  for (const auto& [source, of] : kinds.by_source) {
    CHECK(of.rows == 25);
    held += of.held / 4;
  }
  CHECK(held == near(found.dense.held));
  residuals.resize(2);
  CHECK(kept_out_intervals(residuals).classes.empty());
}
