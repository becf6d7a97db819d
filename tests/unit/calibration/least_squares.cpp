#include "planner/calibration/least_squares.hpp"

#include <doctest/doctest.h>

#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

namespace {

/// Rosenbrock 1960 as residuals: 10·(y - x²) and 1 - x, zero at (1, 1).
std::vector<Point> rosenbrock(const std::vector<Point>& points) {
  std::vector<Point> all;
  for (const Point& p : points) all.push_back({10 * (p[1] - p[0] * p[0]), 1 - p[0]});
  return all;
}

}  // namespace

TEST_CASE("a curved valley is followed to its end") {
  const auto found = minimise(rosenbrock, {-1.2, 1}, {-5, -5}, {5, 5}, {.steps = 200});
  CHECK(found.point[0] == near(1, 1e-3));
  CHECK(found.point[1] == near(1, 1e-3));
}

TEST_CASE("bounds hold, and the best point inside them is found") {
  const auto found = minimise(rosenbrock, {-1.2, 1}, {-5, -5}, {0.5, 5}, {.steps = 200});
  CHECK(found.point[0] == near(0.5));
  CHECK(found.point[1] == near(0.25, 1e-3));
}

TEST_CASE("a fit that is stopped, or may take no step, stays where it started") {
  const auto none = minimise(rosenbrock, {-1.2, 1}, {-5, -5}, {5, 5}, {.steps = 0});
  CHECK(none.point == Point{-1.2, 1});
  CHECK(none.cost == near(24.2));
  const auto stopped =
      minimise(rosenbrock, {-1.2, 1}, {-5, -5}, {5, 5}, {.stop = [] { return true; }});
  CHECK(stopped.steps == 0);
}
