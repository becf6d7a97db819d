#include "planner/perf/calibrated/own_runs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/near.hpp"

using namespace planner;
using planner::testing::near;

TEST_CASE("a source's level lies between none and the mean of its runs, nearer with more of them") {
  const double slow = std::log(1.135);
  double left = 1;
  for (const std::size_t n : {1, 3, 10, 100}) {
    const OwnLevel of = own_level(std::vector<double>(n, slow), usual_level(false));
    const double now = 1 - std::log(of.factor) / slow;
    CHECK(now > 0);
    CHECK(now < left);
    left = now;
  }
  CHECK(left < 0.01);
  // Three runs that are 13.5 % slow: less than half of that is left.
  CHECK(own_level({slow, slow, slow}, usual_level(false)).factor > 1 + 0.135 / 2);
  CHECK(own_level({slow, slow, slow}, usual_level(true)).factor > 1 + 0.135 / 2);
}

TEST_CASE("the level and its interval are those of the random-effects model") {
  // n = 2, r = 0.1 and 0.2: within² = (6·0.06² + 0.005)/7, level = n·m/(n + within²/between²).
  const OwnLevel of = own_level({0.1, 0.2}, usual_level(false));
  const double within = (6 * 0.06 * 0.06 + 0.005) / 7, between = 0.1 * 0.1;
  CHECK(std::log(of.factor) == near(2 * 0.15 / (2 + within / between)));
  CHECK(of.high == near(1.2816 * std::sqrt(within + 1 / (2 / within + 1 / between))));
  CHECK(of.low == near(-of.high));
}

TEST_CASE("of mixtures, runs that agree move the level, and runs of models that differ hardly do") {
  const double slow = std::log(1.135);
  const double agreed = std::log(own_level({slow, slow, slow}, usual_level(true)).factor);
  const double scattered =
      std::log(own_level({slow - 0.25, slow, slow + 0.25}, usual_level(true)).factor);
  CHECK(agreed > slow / 2);
  CHECK(scattered < slow / 3);
  CHECK(scattered > 0);
}

TEST_CASE("one bad run does not move the level") {
  CHECK(own_level({0.1, 0.1, 2.0}, usual_level(false)).factor < std::exp(0.1));
}

TEST_CASE("runs that scatter make the interval wider, more runs narrower") {
  const auto width = [](const std::vector<double>& residuals) {
    const OwnLevel of = own_level(residuals, usual_level(false));
    return of.high - of.low;
  };
  CHECK(width({0.1, 0.1, 0.1}) < width({0.1}));
  CHECK(width({-0.2, 0.1, 0.4}) > width({0.1, 0.1, 0.1}));
  CHECK(own_level({0}, usual_level(true)).high > own_level({0}, usual_level(false)).high);
}

TEST_CASE("an interval holds the runs that it is made of, all but a tenth at either end") {
  const auto held = [](const std::vector<double>& residuals, bool moe) {
    const OwnLevel of = own_level(residuals, usual_level(moe));
    std::int64_t inside = 0;
    for (const double r : residuals) {
      const double left = r - std::log(of.factor);
      inside += of.low - 1e-12 <= left && left <= of.high + 1e-12 ? 1 : 0;
    }
    return inside;
  };
  // Three times the prediction: the level takes back a part of that, and not the rest.
  const double slow = std::log(3);
  CHECK(held({slow, slow, slow}, false) == 3);
  CHECK(held({slow, slow + 0.1, slow - 0.1}, true) == 3);
  CHECK(held({-1, 0.1, 0.1, 0.1}, false) == 4);
  std::vector<double> many(20, 0.1);
  many[3] = 2;
  many[7] = -2;
  CHECK(held(many, false) >= 16);
}
