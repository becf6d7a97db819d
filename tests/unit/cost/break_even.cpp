#include <doctest/doctest.h>

#include "planner/cost/rent_or_buy.hpp"
#include "unit/cost/worked_example.hpp"

using namespace planner;
using namespace planner::testing;
using doctest::Approx;

namespace {

/// What sells for 30 % of its price after a year, and for less later.
Economics hard_to_sell() {
  Economics economics = whole_economics();
  economics.residual_by_year = {0.3, 0.2, 0.1, 0.05};
  return economics;
}

}  // namespace

// Rent: 80 GPUs · $3 · 8,760 h · 0.9 = 1,892,160 a year. Owned for a year and sold: 0.7 · 2,580,000
// + 420,104 = 2,226,104, or 333,944 more. In the second year 0.1 · 2,580,000 + 420,104 = 678,104,
// or 1,214,056 less than the rent: 1 + 333,944 / 1,214,056 = 1.275065 years. Until the horizon 0.95
// · 2,580,000 + 4 · 420,104 = 4,131,416 of 80 · 3 · 8,760 · 4 = 8,409,600 in all hours: from
// 49.1274 % on.
TEST_CASE("renting against buying, resale counted, worked by hand") {
  const CostBreakdown result = breakdown_of(kParts, hard_to_sell());
  REQUIRE(result.break_even);
  CHECK(result.break_even->rent_per_year == exactly(1892160));
  CHECK(result.break_even->after.expected.value().in(units::year) == Approx(1.275065));
  CHECK(result.break_even->utilisation.expected == Approx(0.491274));
}

TEST_CASE("what sells at book value pays from the first day where a year of it costs less") {
  // 2,580,000 / 5 + 420,104 = 936,104 a year against 1,892,160.
  CHECK(breakdown_of(kParts, whole_economics()).break_even->after.expected == Seconds{});
}

// At 20 %, T = 1.954288 years: 1.2^T = 1.428048, payments are worth 1 / 1.2 + 0.954288 / 1.428048 =
// 1.501579, parts sell for 20.4571 %: 2,580,000 · (1 - 0.204571 / 1.428048) = 2,210,414
// are 1.501579 · (1,892,160 - 420,104). At 60 % it costs more to buy at every time within the four
// years.
TEST_CASE("renting against buying where money costs something, worked by hand") {
  Economics dear = hard_to_sell();
  dear.cost_of_capital = 0.2;
  const CostBreakdown result = breakdown_of(kParts, dear);
  REQUIRE(result.break_even);
  CHECK(result.break_even->after.expected.value().in(units::year) == Approx(1.954288));
  CHECK(result.break_even->utilisation.expected == Approx(0.662433));
  dear.cost_of_capital = 0.6;
  CHECK(!breakdown_of(kParts, dear).break_even->after.expected);
}

TEST_CASE("buying never pays where running costs more than renting") {
  Economics cheap = hard_to_sell();
  cheap.cloud[0].rent =
      Estimate<UsdPerSecond>{staff_per_hour(0.5), staff_per_hour(0.6), staff_per_hour(3)};
  const CostBreakdown result = breakdown_of(kParts, cheap);
  REQUIRE(result.break_even);
  CHECK(!result.break_even->after.expected);
  CHECK(!result.break_even->after.high);
  CHECK(result.break_even->after.low.value().in(units::year) == Approx(1.275065));
}

TEST_CASE("the time from which on buying pays is where the curve says so") {
  for (const double capital : {0.0, 0.08, 0.2}) {
    for (const double utilisation : {0.3, 0.6, 0.9}) {
      Economics economics = hard_to_sell();
      economics.cost_of_capital = capital;
      economics.utilisation = utilisation;
      const CostBreakdown result = breakdown_of(kParts, economics);
      const auto& after = result.break_even->after.expected;
      CAPTURE(capital);
      CAPTURE(utilisation);
      const RentOrBuy& end = result.rent_or_buy.back();
      CHECK(end.utilisation == result.break_even->utilisation);
      CHECK(after.has_value() == (end.utilisation->expected <= utilisation));
      for (const RentOrBuy& at : result.rent_or_buy) {
        const bool pays = after && *after <= at.months / 12 * units::year;
        CHECK(pays == (at.utilisation->expected <= utilisation));
      }
    }
  }
}
