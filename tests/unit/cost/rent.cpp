#include "planner/cost/rent.hpp"

#include <doctest/doctest.h>

using namespace planner;
using doctest::Approx;

namespace {

constexpr UsdPerSecond rent_per_hour(double dollars) {
  return dollars * units::usd / units::hour;
}

}  // namespace

TEST_CASE("GPUs times hours times the price, worked by hand") {
  // 1,024 GPUs at $3 for 2.5 s: 1,024 · 3 · 2.5 / 3,600 = $2.1333; 4,194,304 tokens in them.
  const RentCost cost = rent_cost(1024, Estimate<UsdPerSecond>::exactly(rent_per_hour(3)),
                                  2.5 * units::second, 4'194'304, 1000);
  CHECK(cost.per_iteration.expected.in(units::usd) == Approx(2.133333));
  CHECK(cost.per_million_tokens.expected.in(units::usd) == Approx(0.508626));
  CHECK(cost.per_run->expected.in(units::usd) == Approx(2133.333));
}

TEST_CASE("a range of prices stays a range, and without a run there is no cost of one") {
  const RentCost cost =
      rent_cost(2, {rent_per_hour(1), rent_per_hour(2), rent_per_hour(4)}, units::hour, 1e6, {});
  CHECK(cost.per_iteration.low.in(units::usd) == Approx(2));
  CHECK(cost.per_iteration.expected.in(units::usd) == Approx(4));
  CHECK(cost.per_iteration.high.in(units::usd) == Approx(8));
  CHECK_FALSE(cost.per_run);
}
