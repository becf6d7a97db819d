#include "planner/cost/causes.hpp"

#include <type_traits>

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/rent_terms.hpp"
#include "planner/cost/residual.hpp"

namespace planner::inline cost {
namespace {

/// A figure's ends over what is expected of it.
template <class T>
Estimate<double> factor_of(const Estimate<T>& of) {
  if constexpr (std::is_same_v<T, Money>) {
    return factor_of(in_dollars(of));
  } else {
    return of.expected <= T{} ? Estimate<double>{1, 1, 1} : relative(of);
  }
}

/// Shares of the expected capex that are paid each year.
double yearly_share(const Economics& economics) {
  const auto expected = [](const std::optional<Estimate<double>>& share) {
    return share ? share->expected : 0;
  };
  return expected(economics.maintenance) + expected(economics.insurance);
}

class Causes {
 public:
  Causes(const CostBreakdown& cost, const Economics& economics, std::int64_t gpus)
      : cost_(cost),
        owned_{1 - residual_share(economics, economics.horizon_years), economics.horizon_years},
        hourly_(hour_weights(economics, gpus)),
        yearly_share_(yearly_share(economics)) {}

  void add_category(const CategoryCost& category) {
    const Estimate<Money>& amount = category.total.amount;
    add("price of " + std::string{name_of(category.category)}, factor_of(amount),
        in_dollars(amount.expected), {});
  }
  /// Of an item of the yearly costs.
  /// @param worth  against as much in equal payments of the horizon, where money costs something
  template <class T>
  void add_yearly(const std::string& name, OpexItem item, const std::optional<Estimate<T>>& figure,
                  double worth = 1) {
    if (!figure) return;
    for (const OpexLine& line : cost_.opex) {
      if (line.item != item || !line.per_year) continue;
      add(name, factor_of(*figure), {}, in_dollars(line.per_year->expected), worth);
      return;
    }
  }
  [[nodiscard]] std::vector<CostCause> found() && { return std::move(causes_); }

 private:
  static CostWeights hour_weights(const Economics& economics, std::int64_t gpus) {
    const bool discounted = economics.cost_of_capital || economics.tax_rate;
    const CostWeights all =
        discounted ? yearly_weights(economics)
                   : CostWeights{(1 - residual_share(economics, economics.horizon_years)) /
                                     economics.horizon_years,
                                 1};
    const double hours =
        static_cast<double>(gpus) * units::year.in(units::hour)*economics.utilisation;
    return {all.capex / hours, all.opex_per_year / hours};
  }

  void add(std::string name, const Estimate<double>& factor, Usd capex, Usd per_year,
           double worth = 1) {
    if (factor.exact()) return;
    const Usd yearly = per_year + yearly_share_ * capex;
    const bool years = cost_.ownership.has_value();
    causes_.push_back(
        {.name = std::move(name),
         .factor = factor,
         .capex = capex,
         .opex_per_year = yearly,
         .tco = years ? owned_.capex * capex + owned_.opex_per_year * yearly : Usd{},
         .per_gpu_hour = hourly_.capex * capex + worth * hourly_.opex_per_year * yearly});
  }

  const CostBreakdown& cost_;
  CostWeights owned_, hourly_;
  double yearly_share_;
  std::vector<CostCause> causes_;
};

}  // namespace

std::vector<CostCause> cost_causes(const CostBreakdown& cost, const Economics& economics,
                                   std::int64_t gpus) {
  Causes causes(cost, economics, gpus);
  for (const CategoryCost& category : cost.categories) causes.add_category(category);
  if (cost.rent) {
    causes.add_yearly("rent of a GPU", OpexItem::rent, std::optional(cost.rent->rent),
                      rent_worth(economics, cost.rent->term));
  }
  causes.add_yearly("price of electricity", OpexItem::electricity, economics.electricity);
  causes.add_yearly("PUE", OpexItem::electricity, economics.pue);
  causes.add_yearly("colocation", OpexItem::colocation, economics.colocation);
  causes.add_yearly("rack rental", OpexItem::rack_rental, economics.rack_rental);
  causes.add_yearly("building", OpexItem::building, economics.building);
  causes.add_yearly("maintenance", OpexItem::maintenance, economics.maintenance);
  causes.add_yearly("insurance", OpexItem::insurance, economics.insurance);
  causes.add_yearly("staff", OpexItem::staff, economics.staff);
  causes.add_yearly("site staff", OpexItem::site_staff, economics.staff_by_power);
  return std::move(causes).found();
}

}  // namespace planner::cost
