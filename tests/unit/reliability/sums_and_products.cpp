#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "planner/reliability/product_law.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("a sum of what is known is that") {
  CHECK(SumLaw(3, {}).quantile(0.9) == 3);
  CHECK(SumLaw(3, {{.weight = 2, .spread = {}}}).quantile(0.1) == 3);
}

TEST_CASE("one part keeps its ends, whatever stands beside it") {
  const LogSpread spread = log_spread({0.8, 1, 1.5});
  const SumLaw law(10, {{.weight = 5, .spread = spread}});
  CHECK(law.quantile(0.1) == near(10 + 5 * 0.8, 1e-3));
  CHECK(law.quantile(0.5) == near(15, 1e-3));
  CHECK(law.quantile(0.9) == near(10 + 5 * 1.5, 1e-3));
}

TEST_CASE("shares and quantiles are each other's inverse") {
  const SumLaw law(1, {{2, {.1, .3}}, {1, {.2, .2}}});
  for (const double p : {0.01, 0.1, 0.5, 0.9, 0.99})
    CHECK(law.share_within(law.quantile(p)) == near(p));
  CHECK(law.share_within(law.low()) == 0);
  CHECK(law.share_within(law.high()) ==
        near(1, 1e-6));  // two cells beyond take what rounding moves out
  CHECK(SumLaw(3, {}).share_within(2.9) == 0);
  CHECK(SumLaw(3, {}).share_within(3) == 1);
}

TEST_CASE("a product of two split log-normals agrees with theory where there is one") {
  const LogSpread even{.below = 0.2, .above = 0.2};
  const OutcomeLaw time = OutcomeLaw(1).times(even);
  const ProductLaw law(time, SumLaw(0, {{3, even}}));
  for (const double z : {-1.6448536269514722, 0.0, 1.2815515655446004}) {
    CAPTURE(z);
    const double p = std::erfc(-z / std::sqrt(2)) / 2;
    CHECK(law.quantile(p) == near(3 * std::exp(z * 0.2 * std::sqrt(2)), 1e-4));
  }
  const OutcomeLaw exact = OutcomeLaw(5);
  CHECK(ProductLaw(exact, SumLaw(2, {})).quantile(0.3) == near(10, 1e-6));
  CHECK(ProductLaw(exact, SumLaw(0, {{1, even}})).quantile(0.9) ==
        near(5 * std::exp(0.2 * 1.2815515655446004), 2e-3));
  CHECK(ProductLaw(time, SumLaw(2, {})).quantile(0.9) ==
        near(2 * std::exp(0.2 * 1.2815515655446004), 1e-3));
}

TEST_CASE("quantiles of sums agree with a million draws") {
  struct Sum {
    double constant;
    std::vector<UncertainPart> parts;
  };
  for (const Sum& sum :
       {Sum{0, {{1, {.1, .1}}, {1, {.1, .1}}}},
        Sum{1, {{4, {.05, .4}}, {1, {.5, .5}}, {2, {0, .3}}}},
        Sum{0, {{1, {.3, .1}}, {2, {.1, .6}}, {.5, {.8, .8}}, {.2, {.1, .1}}, {3, {.02, .05}}}}}) {
    std::mt19937_64 random(20260401);
    std::normal_distribution<double> unit;
    std::vector<double> drawn(1'000'000);
    for (double& value : drawn) {
      value = sum.constant;
      for (const UncertainPart& part : sum.parts) {
        const double z = unit(random);
        value += part.weight * std::exp(z * (z < 0 ? part.spread.below : part.spread.above));
      }
    }
    std::sort(drawn.begin(), drawn.end());
    const SumLaw law(sum.constant, sum.parts);
    for (const double p : {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}) {
      CAPTURE(p);
      CHECK(law.quantile(p) == near(drawn[static_cast<std::size_t>(p * 1e6)], 3e-3));
    }
  }
}
