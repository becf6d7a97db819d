// From how many runs on buying pays.
#include "planner/design/rent.hpp"

#include <doctest/doctest.h>

using namespace planner;
using namespace planner::design;

namespace {

constexpr Seconds kRun = 10 * units::day;

Rented rent(RentTerm term, std::int64_t dollars) {
  Rented one{.term = term};
  one.run.expected = kRun;
  one.cost = Estimate<Money>::exactly(Money::cents(100 * dollars));
  return one;
}

}  // namespace

TEST_CASE("buying pays where the cheapest rent of as many runs costs more") {
  Economics economics{.horizon_years = 4, .utilisation = 1};
  const Money owning = Money::cents(5'000'000'00);
  const Rented hours = rent(RentTerm::on_demand, 1'000'000);
  const BuyingPays by_hours = buying_pays(economics, kRun, owning, {hours});
  CHECK(by_hours.most == 146);
  CHECK(by_hours.from == 6);
  CHECK(by_hours.rent == Money::cents(6'000'000'00));

  // A year for two millions has 36 runs in it: the third begins with the 74th.
  const Rented year = rent(RentTerm::one_year, 2'000'000);
  const BuyingPays by_years = buying_pays(economics, kRun, owning, {hours, year});
  CHECK(by_years.from == 74);
  CHECK(by_years.rent == Money::cents(6'000'000'00));

  // Used a quarter of the hours, they do no more than 36 runs.
  economics.utilisation = 0.25;
  const BuyingPays never = buying_pays(economics, kRun, owning, {hours, year});
  CHECK(never.most == 36);
  CHECK_FALSE(never.from);
  CHECK(never.rent == Money::cents(2'000'000'00));
}
