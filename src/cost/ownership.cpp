#include "planner/cost/ownership.hpp"

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/residual.hpp"

namespace planner::inline cost {
namespace {

std::optional<Estimate<Money>> scaled(const Estimate<Money>& amount, double factor) {
  return in_cents(each([factor](Usd x) { return x * factor; }, in_dollars(amount)));
}

}  // namespace

std::optional<Ownership> ownership(const Economics& economics, const Estimate<Money>& capex,
                                   const Estimate<Money>& opex_per_year) {
  const double years = economics.horizon_years;
  const auto residual = scaled(capex, residual_share(economics, years));
  const auto opex = scaled(opex_per_year, years);
  if (!residual || !opex) return std::nullopt;
  const auto total = all(each(
      [](Money bought, Money left, Money paid) -> std::optional<Money> {
        const auto used = bought.plus(Money::cents(-left.in_cents()));
        return used ? used->plus(paid) : std::nullopt;
      },
      capex, *residual, *opex));
  if (!total) return std::nullopt;
  return Ownership{.horizon_years = years, .residual = *residual, .opex = *opex, .total = *total};
}

Estimate<Usd> cost_per_gpu_hour(const Economics& economics, const Ownership& owned,
                                const std::optional<Financed>& financed, std::int64_t gpus) {
  const Estimate<Usd> paid = in_dollars(financed ? financed->per_year : owned.total);
  const double years = financed ? 1 : owned.horizon_years;
  const double hours = years * units::year.in(units::hour)*economics.utilisation;
  return each([&](Usd total) { return total / (static_cast<double>(gpus) * hours); }, paid);
}

}  // namespace planner::cost
