// From how many runs on buying pays.
#include "planner/design/rent.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace planner;
using namespace planner::design;

namespace {

constexpr Seconds kRun = 10 * units::day;

/// Of a term of so many years, or of hours; each run takes ten days.
RentOfRuns rent(double term_years, std::int64_t dollars) {
  return [=](std::int64_t runs) {
    const double years = static_cast<double>(runs) * kRun.in(units::year);
    const double paid =
        term_years > 0 ? std::ceil(years / term_years - 1e-9) : static_cast<double>(runs);
    Rented one;
    one.cost =
        Estimate<Money>::exactly(Money::cents(100 * static_cast<std::int64_t>(paid) * dollars));
    return std::optional(one);
  };
}

RentOfRuns cheaper_of(const RentOfRuns& a, const RentOfRuns& b) {
  return [=](std::int64_t runs) {
    const auto one = a(runs), other = b(runs);
    return one->cost.expected < other->cost.expected ? one : other;
  };
}

}  // namespace

TEST_CASE("buying pays where the cheapest rent of as many runs costs more") {
  Economics economics{.horizon_years = 4, .utilisation = 1};
  const Money owning = Money::cents(5'000'000'00);
  const RentOfRuns hours = rent(0, 1'000'000);
  const auto by_hours = buying_pays(economics, kRun, owning, hours);
  CHECK(by_hours->most == 146);
  CHECK(by_hours->from == 6);
  CHECK(by_hours->rented.cost.expected == Money::cents(6'000'000'00));

  // A year for two millions has 36 runs in it: the third begins with the 74th.
  const RentOfRuns both = cheaper_of(hours, rent(1, 2'000'000));
  const auto by_years = buying_pays(economics, kRun, owning, both);
  CHECK(by_years->from == 74);
  CHECK(by_years->rented.cost.expected == Money::cents(6'000'000'00));

  // Used a quarter of the hours, they do no more than 36 runs.
  economics.utilisation = 0.25;
  const auto never = buying_pays(economics, kRun, owning, both);
  CHECK(never->most == 36);
  CHECK_FALSE(never->from);
  CHECK(never->rented.cost.expected == Money::cents(2'000'000'00));

  // Where the time runs out nothing is said.
  CHECK_FALSE(buying_pays(economics, kRun, owning,
                          [](std::int64_t) -> std::optional<Rented> { return std::nullopt; }));
}
