#include "planner/cost/finance.hpp"

#include <algorithm>
#include <cmath>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/residual.hpp"

namespace planner::inline cost {
namespace {

/// Calls f(begin, end) for each year of the horizon, the last one perhaps shorter.
template <class F>
void for_each_year(double horizon, F f) {
  for (double begin = 0; begin < horizon; begin += 1) f(begin, std::min(begin + 1, horizon));
}

double horizon_payments(const Economics& economics) {
  return payments(economics.cost_of_capital.value_or(0), economics.horizon_years);
}

}  // namespace

Usd present_cost(const Economics& economics, const PaidCase& of) {
  const double growth = 1 + economics.cost_of_capital.value_or(0);
  const double tax = economics.tax_rate.value_or(0);
  const double horizon = economics.horizon_years;
  Usd cost = of.capex;
  for_each_year(horizon, [&](double begin, double end) {
    const Usd written_off = of.capex * (book_value(economics, begin) - book_value(economics, end));
    const Usd paid = of.opex_per_year * (end - begin) * (1 - tax) - tax * written_off;
    cost = cost + paid / std::pow(growth, end);
  });
  const Usd gain = of.residual - of.capex * book_value(economics, horizon);
  return cost - (of.residual - tax * gain) / std::pow(growth, horizon);
}

double payments(double cost_of_capital, double years) {
  double sum = 0;
  for_each_year(years, [&](double begin, double end) {
    sum += (end - begin) / std::pow(1 + cost_of_capital, end);
  });
  return sum;
}

CostWeights yearly_weights(const Economics& economics) {
  const double left = residual_share(economics, economics.horizon_years);
  const double all = horizon_payments(economics);
  const auto of = [&](double capex, double opex) {
    return present_cost(economics,
                        {capex * units::usd, opex * units::usd, left * capex * units::usd})
               .in(units::usd) /
           all;
  };
  return {.capex = of(1, 0), .opex_per_year = of(0, 1)};
}

double annuity(double cost_of_capital, double years) {
  if (cost_of_capital <= 0) return 1 / years;
  return cost_of_capital / -std::expm1(-years * std::log1p(cost_of_capital));
}

std::optional<Financed> financed(const Economics& economics, const Estimate<Money>& capex,
                                 const Estimate<Money>& opex_per_year, const Ownership& owned) {
  const double all_payments = horizon_payments(economics);
  const Estimate<Usd> cost = each(
      [&](Usd bought, Usd yearly, Usd left) {
        return present_cost(economics, {bought, yearly, left});
      },
      in_dollars(capex), in_dollars(opex_per_year), in_dollars(owned.residual));
  const auto present = in_cents(cost);
  const auto per_year = in_cents(each([=](Usd whole) { return whole / all_payments; }, cost));
  if (!present || !per_year) return std::nullopt;
  return Financed{.cost_of_capital = economics.cost_of_capital.value_or(0),
                  .tax_rate = economics.tax_rate.value_or(0),
                  .present_cost = *present,
                  .per_year = *per_year};
}

}  // namespace planner::cost
