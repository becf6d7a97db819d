#include "planner/cost/rent_or_buy.hpp"

#include <algorithm>
#include <cmath>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/residual.hpp"

namespace planner::inline cost {
namespace {

/// The years looked at: half a year, whole years, the horizon; few enough for a table.
std::vector<double> moments(double horizon) {
  std::vector<double> years;
  const double step = std::max(1.0, std::ceil(horizon / 10));
  if (horizon > 0.5) years.push_back(0.5);
  for (double year = step; year < horizon; year += step) years.push_back(year);
  years.push_back(horizon);
  return years;
}

std::optional<RentOrBuy> until(double years, const Economics& economics,
                               std::string_view accelerator, std::int64_t gpus,
                               const Estimate<Usd>& capex, const Estimate<Usd>& opex_per_year) {
  const double untaxed = 1 - economics.tax_rate.value_or(0);
  const double all_payments = untaxed * payments(economics.cost_of_capital.value_or(0), years);
  Economics until_then = economics;
  until_then.horizon_years = years;
  const double left = residual_share(economics, years);
  const Estimate<Usd> buy = each(
      [&](Usd bought, Usd yearly) {
        return present_cost(until_then, {bought, yearly, left * bought});
      },
      capex, opex_per_year);
  const auto cents = in_cents(buy);
  if (!cents) return std::nullopt;
  RentOrBuy at{.months = 12 * years, .buy = *cents, .rents = {}};
  for (const RentTerm term : kRentTerms) {
    const CloudPrice* const price = rent_of(economics, accelerator, term);
    if (price == nullptr) continue;
    const Seconds paid = years_paid(term, years) / years * all_payments * units::year;
    const Estimate<Usd> rent =
        each([&](UsdPerSecond one) { return static_cast<double>(gpus) * one * paid; }, price->rent);
    const auto cost = in_cents(rent);
    if (!cost) return std::nullopt;
    at.rents.push_back({term, *cost});
    if (term == RentTerm::on_demand) {
      at.utilisation =
          each([](Usd bought, Usd rented) { return bought / rented; }, buy, reversed(rent));
    }
  }
  return at;
}

}  // namespace

double years_of(RentTerm term) {
  switch (term) {
    case RentTerm::on_demand:
      return 0;
    case RentTerm::one_year:
      return 1;
    case RentTerm::three_years:
      return 3;
  }
  return 0;
}

double years_paid(RentTerm term, double years) {
  const double length = years_of(term);
  return length > 0 ? std::ceil(years / length) * length : years;
}

std::optional<std::vector<RentOrBuy>> rent_or_buy(const Economics& economics,
                                                  std::string_view accelerator, std::int64_t gpus,
                                                  const Estimate<Money>& capex,
                                                  const Estimate<Money>& opex_per_year) {
  std::vector<RentOrBuy> curve;
  for (const double years : moments(economics.horizon_years)) {
    auto at =
        until(years, economics, accelerator, gpus, in_dollars(capex), in_dollars(opex_per_year));
    if (!at) return std::nullopt;
    if (at->rents.empty()) return curve;
    curve.push_back(*std::move(at));
  }
  return curve;
}

}  // namespace planner::cost
