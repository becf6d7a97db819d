#include "planner/job/likely_costs.hpp"

#include <algorithm>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/rent_or_buy.hpp"
#include "planner/cost/residual.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/price_law.hpp"
#include "planner/reliability/product_law.hpp"

namespace planner::job {

namespace {

using Causes = std::vector<CostCause>;

void set_ends(Estimate<Money>& amount, const Estimate<Usd>& range) {
  amount.low = Money::from_dollars(range.low.in(units::usd)).value_or(amount.low);
  amount.high = Money::from_dollars(range.high.in(units::usd)).value_or(amount.high);
}

/// What a dollar of the capex, and of what each year costs, comes to until a year: present_cost()
/// is linear in both.
CostWeights weights_until(double years, const Economics& economics) {
  Economics until = economics;
  until.horizon_years = years;
  const double left = residual_share(economics, years);
  const Usd one = 1 * units::usd;
  return {.capex = present_cost(until, {one, {}, left * one}) / one,
          .opex_per_year = present_cost(until, {{}, one, {}}) / one};
}

SumLaw owning_law(const Causes& causes, const CostWeights& weights, Usd expected) {
  return price_law(causes, expected, [&](const CostCause& cause) {
    return weights.capex * cause.capex + weights.opex_per_year * cause.opex_per_year;
  });
}

/// Owning over renting: two laws that are independent.
Estimate<double> use_range(const SumLaw& owning, Usd owned, const CloudPrice& rent,
                           double expected) {
  const LogSpread spread = spread_of(relative(rent.rent));
  const ProductLaw law(OutcomeLaw(1).times({.below = spread.above, .above = spread.below}), owning);
  const double one = expected / owned.in(units::usd);
  return {std::min(expected, one * law.quantile(kLowShare)), expected,
          std::max(expected, one * law.quantile(kHighShare))};
}

/// Ranges of buying against renting, at any year of the horizon.
class Renting {
 public:
  Renting(const Economics& economics, const RentedGpus& what, const CostBreakdown& cost,
          const Causes& causes)
      : economics_(economics),
        what_(what),
        causes_(causes),
        capex_(in_dollars(cost.capex.amount)),
        opex_per_year_(in_dollars(cost.opex_per_year.amount)) {}

  [[nodiscard]] Estimate<Usd> bought(double years) const {
    const Usd expected = bought_until(economics_, years, capex_, opex_per_year_).expected;
    return expected > Usd{} ? range_of(law(years, expected), expected)
                            : Estimate<Usd>::exactly(expected);
  }
  /// Of a GPU with a rent on demand.
  [[nodiscard]] Estimate<double> use(double years) const {
    const Usd expected = bought_until(economics_, years, capex_, opex_per_year_).expected;
    const Estimate<double> known = *use_until(economics_, what_, years, capex_, opex_per_year_);
    if (expected <= Usd{}) return known;
    const CloudPrice& rent = *rent_of(economics_, what_.accelerator, RentTerm::on_demand);
    return use_range(law(years, expected), expected, rent, known.expected);
  }
  [[nodiscard]] std::optional<Seconds> pays(double Estimate<double>::*end) const {
    return pays_from(economics_, [&](double years) { return use(years).*end; });
  }

 private:
  [[nodiscard]] SumLaw law(double years, Usd expected) const {
    return owning_law(causes_, weights_until(years, economics_), expected);
  }

  const Economics& economics_;
  const RentedGpus& what_;
  const Causes& causes_;
  Estimate<Usd> capex_, opex_per_year_;
};

void narrow_renting(const Economics& economics, const RentedGpus& what, const Causes& causes,
                    CostBreakdown& cost) {
  const Renting renting(economics, what, cost, causes);
  constexpr double kMonthsOfYear = 12;
  for (RentOrBuy& at : cost.rent_or_buy) {
    const double years = at.months / kMonthsOfYear;
    if (at.buy.expected > Money{}) set_ends(at.buy, renting.bought(years));
    if (at.utilisation) at.utilisation = renting.use(years);
  }
  if (!cost.break_even) return;
  using E = Estimate<double>;
  cost.break_even->utilisation = renting.use(economics.horizon_years);
  // What is expected stays: it needs no law.
  cost.break_even->after.low = renting.pays(&E::low);
  cost.break_even->after.high = renting.pays(&E::high);
}

template <class T>
LogSpread spread_of_figure(const std::optional<Estimate<T>>& figure) {
  if (!figure || figure->exact() || !(figure->expected > T{})) return {};
  return spread_of(relative(*figure));
}

/// Items of the yearly costs that several figures make; of one alone both ends are those of 80 of
/// 100 as they are.
void narrow_years(const Economics& economics, const Causes& causes, CostBreakdown& cost) {
  const Usd capex = in_dollars(cost.capex.amount.expected);
  const auto narrow = [](OpexLine& line, const auto& law, double one) {
    const Usd expected = in_dollars(line.per_year->expected);
    const auto end = [&](double p) { return one * law.quantile(p) * units::usd; };
    set_ends(*line.per_year,
             {std::min(expected, end(kLowShare)), expected, std::max(expected, end(kHighShare))});
  };
  const auto narrow_share = [&](OpexLine& line, const Estimate<double>& share) {
    const SumLaw bought = price_law(causes, capex, [](const CostCause& of) { return of.capex; });
    const OutcomeLaw part = OutcomeLaw(1).times(spread_of_figure(std::optional(share)));
    narrow(line, ProductLaw(part, bought), share.expected);
  };
  for (OpexLine& line : cost.opex) {
    if (!line.per_year || line.per_year->exact() || line.per_year->expected <= Money{}) continue;
    if (line.item == OpexItem::electricity) {
      narrow(line,
             OutcomeLaw(line.per_year->expected.dollars())
                 .times(spread_of_figure(economics.electricity))
                 .times(spread_of_figure(economics.pue)),
             1);
    }
    const bool bought = capex > Usd{};
    if (line.item == OpexItem::maintenance && bought) narrow_share(line, *economics.maintenance);
    if (line.item == OpexItem::insurance && bought) narrow_share(line, *economics.insurance);
  }
}

}  // namespace

void narrow_costs(ClusterReport& report) {
  if (!report.economics || !report.cost.capex.known()) return;
  const Economics& economics = *report.economics;
  const Causes causes = cost_causes(report.cost, economics, report.cluster.gpus);
  narrow_years(economics, causes, report.cost);
  const RentedGpus gpus{report.system.accelerator.name, rented_gpus(report)};
  narrow_renting(economics, gpus, causes, report.cost);
}

}  // namespace planner::job
