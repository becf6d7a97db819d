#include "planner/cost/break_even.hpp"

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {
namespace {

std::optional<Seconds> paid_back_after(Usd capex, Usd opex_per_year, Usd rent_per_year) {
  const Usd saved_per_year = rent_per_year - opex_per_year;
  if (saved_per_year <= Usd{}) return std::nullopt;
  return capex / saved_per_year * units::year;
}

}  // namespace

std::optional<BreakEven> break_even(const Economics& economics, const Estimate<UsdPerSecond>& rent,
                                    std::int64_t gpus, const Estimate<Money>& capex,
                                    const Estimate<Money>& opex_per_year, const Ownership& owned) {
  const auto rented = static_cast<double>(gpus);
  const Estimate<Usd> all_hours =
      each([rented](UsdPerSecond rate) { return rented * rate * units::year; }, rent);
  const Estimate<Usd> used_hours =
      each([&economics](Usd year) { return year * economics.utilisation; }, all_hours);
  const auto rent_per_year = in_cents(used_hours);
  if (!rent_per_year) return std::nullopt;
  return BreakEven{
      .rent_per_year = *rent_per_year,
      .after =
          each(paid_back_after, in_dollars(capex), in_dollars(opex_per_year), reversed(used_hours)),
      .utilisation =
          each([&owned](Usd total, Usd year) { return total / (year * owned.horizon_years); },
               in_dollars(owned.total), reversed(all_hours))};
}

}  // namespace planner::cost
