#include "planner/cost/break_even.hpp"

#include <cmath>

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {
namespace {

std::optional<Seconds> paid_back_after(Usd capex, Usd saved_per_year, double cost_of_capital) {
  if (saved_per_year <= Usd{}) return std::nullopt;
  const double payments = capex / saved_per_year;
  if (cost_of_capital <= 0) return payments * units::year;
  const double left = 1 - cost_of_capital * payments;
  if (left <= 0) return std::nullopt;  // what is saved does not even pay the interest
  return -std::log(left) / std::log1p(cost_of_capital) * units::year;
}

/// What owning costs each year: as equal payments, or as an even share of the total.
Estimate<Usd> owned_per_year(const Ownership& owned, const std::optional<Financed>& financed) {
  if (financed) return in_dollars(financed->per_year);
  return each([&](Usd total) { return total / owned.horizon_years; }, in_dollars(owned.total));
}

}  // namespace

std::optional<BreakEven> break_even(const Economics& economics, const Estimate<UsdPerSecond>& rent,
                                    std::int64_t gpus, const Estimate<Money>& capex,
                                    const Estimate<Money>& opex_per_year, const Ownership& owned,
                                    const std::optional<Financed>& financed) {
  const auto rented = static_cast<double>(gpus);
  const double untaxed = 1 - economics.tax_rate.value_or(0);
  const double dear = economics.cost_of_capital.value_or(0);
  const Estimate<Usd> all_hours =
      each([rented](UsdPerSecond rate) { return rented * rate * units::year; }, rent);
  const Estimate<Usd> used_hours =
      each([&economics](Usd year) { return year * economics.utilisation; }, all_hours);
  const auto rent_per_year = in_cents(used_hours);
  if (!rent_per_year) return std::nullopt;
  const auto after = [dear](Usd bought, Usd yearly, Usd rent_of_year) {
    return paid_back_after(bought, rent_of_year - yearly, dear);
  };
  return BreakEven{
      .rent_per_year = *rent_per_year,
      .after = each(after, in_dollars(capex), in_dollars(opex_per_year), reversed(used_hours)),
      .utilisation = each([untaxed](Usd own, Usd year) { return own / (year * untaxed); },
                          owned_per_year(owned, financed), reversed(all_hours))};
}

}  // namespace planner::cost
