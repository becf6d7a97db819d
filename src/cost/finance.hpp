#pragma once

#include <optional>

#include "planner/domain/cost.hpp"

namespace planner::inline cost {

/// Net present cost of owning: the parts are paid on day 0, what a year costs at its end (a last
/// part of a year at the horizon), and the residual comes back at the horizon:
///
///   P = C + Σ_k (O·l_k·(1 - τ) - τ·C·(b(t_{k-1}) - b(t_k))) / (1 + r)^t_k
///         - (R - τ·(R - C·b(H))) / (1 + r)^H
///
/// with capex C, yearly cost O, the cost of capital r, the tax rate τ, book value b, residual R,
/// horizon H, t_k = min(k, H) and l_k = t_k - t_{k-1}. In equal payments of a year:
/// P / Σ_k l_k·(1 + r)^-t_k, the annuity of P where H is whole. Textbook discounting (Brealey,
/// Myers, Allen, Principles of Corporate Finance, chapters 2 and 6: equivalent annual cost).
/// Nothing: beyond Money's range.
std::optional<Financed> financed(const Economics& economics, const Estimate<Money>& capex,
                                 const Estimate<Money>& opex_per_year, const Ownership& owned);

/// What owning costs, by which clusters are judged: the present cost where money costs something or
/// is taxed, else the total cost of ownership.
inline const Estimate<Money>& cost_of_owning(const std::optional<Financed>& financed,
                                             const Estimate<Money>& tco) {
  return financed ? financed->present_cost : tco;
}

/// The present cost of one case, before it is rounded: low, expected or high.
struct PaidCase {
  Usd capex, opex_per_year, residual;
};
Usd present_cost(const Economics& economics, const PaidCase& of);

/// What a dollar of the capex and a dollar of what each year costs add to a sum.
struct CostWeights {
  double capex = 0, opex_per_year = 0;
};

/// Of the equal payments of a year above: these are linear in both.
CostWeights yearly_weights(const Economics& economics);

/// What payments of 1 a year at the ends of so many years are worth on day 0, of a last part of a
/// year its share at the end: Σ_k l_k·(1 + r)^-t_k. The years themselves where money costs nothing.
double payments(double cost_of_capital, double years);

/// What each year of something that costs 1 and lasts `years` comes to: r / (1 - (1 + r)^-years),
/// 1 / years where money costs nothing.
double annuity(double cost_of_capital, double years);

}  // namespace planner::cost
