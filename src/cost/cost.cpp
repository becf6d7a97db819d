#include "planner/cost/cost.hpp"

#include <algorithm>

#include "planner/cost/break_even.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/owning.hpp"
#include "planner/cost/power.hpp"
#include "planner/cost/rent_or_buy.hpp"
#include "planner/cost/run_cost.hpp"

namespace planner::inline cost {
namespace {

CostProblem too_large(std::string subject) {
  return {.rule = CostRule::too_large, .subject = std::move(subject)};
}

/// Whether the draw of every GPU or node is known: without it, nobody knows what a year costs.
bool compute_power_known(const BillOfMaterials& bill) {
  return std::none_of(bill.lines.begin(), bill.lines.end(), [](const BillLine& line) {
    return line.part.category == PartCategory::compute && !line.power;
  });
}

/// Fills in what follows from paying in dollars.
std::optional<CostProblem> add_years(CostBreakdown& cost, const BillOfMaterials& bill,
                                     const ClusterUse& use, const Economics& economics) {
  OwningResult result = owning(economics, {.capex = cost.capex,
                                           .power = cost.power,
                                           .compute_power_known = compute_power_known(bill),
                                           .gpus = use.gpus,
                                           .racks = use.racks,
                                           .rent = use.rent,
                                           .rented = use.rented,
                                           .buys = !bill.lines.empty()});
  if (auto* const problem = std::get_if<CostProblem>(&result)) return std::move(*problem);
  auto& owned = std::get<Owning>(result);
  cost.opex = std::move(owned.opex);
  cost.left_out = std::move(owned.left_out);
  cost.opex_per_year = owned.opex_per_year;
  if (!owned.ownership) return std::nullopt;
  cost.ownership = owned.ownership;
  cost.financed = owned.financed;
  cost.per_gpu_hour = owned.per_gpu_hour;
  if (use.rent) return std::nullopt;
  const Estimate<Money>&bought = cost.capex.amount, &paid = cost.opex_per_year.amount;
  const RentedGpus rented{use.accelerator, use.rented};
  const auto curve = rent_or_buy(economics, rented, bought, paid);
  if (!curve) return too_large("rent");
  cost.rent_or_buy = *curve;
  if (rent_of(economics, use.accelerator, RentTerm::on_demand) == nullptr) return std::nullopt;
  cost.break_even = break_even(economics, rented, bought, paid);
  if (!cost.break_even) return too_large("rent");
  return std::nullopt;
}

std::optional<CostProblem> out_of_range(const ClusterUse& use) {
  if (use.gpus <= 0) return CostProblem{CostRule::out_of_range, "gpus"};
  if (use.run && (use.run->gpus <= 0 || use.run->gpus > use.gpus)) {
    return CostProblem{CostRule::out_of_range, "gpus of the run"};
  }
  const bool may_be_rented = use.rent || !use.accelerator.empty();
  if (may_be_rented && use.rented < use.gpus) {
    return CostProblem{CostRule::out_of_range, "rented gpus"};
  }
  return std::nullopt;
}

}  // namespace

CostResult cost_of(const BillOfMaterials& bill, const ClusterUse& use) {
  if (const auto problem = out_of_range(use)) return *problem;
  const bool relative = bill.currency != Currency::usd;
  const bool in_dollars = use.rent || (use.economics && use.economics->has_money());
  if (relative && in_dollars) {
    return CostProblem{CostRule::mixed_currency, "economics"};
  }
  const auto categories = capex_by_category(bill);
  const auto whole = capex(bill);
  if (!categories || !whole) return too_large("capex");

  static const Economics kNone{};
  const Economics& economics = use.economics ? *use.economics : kNone;
  CostBreakdown cost{.currency = bill.currency,
                     .rent = use.rent,
                     .categories = *categories,
                     .capex = *whole,
                     .power = power_draw(bill, economics.pue)};
  if (use.economics && !relative) {
    if (const auto problem = add_years(cost, bill, use, economics)) return *problem;
  }
  if (use.run) {
    // What rented GPUs draw is not in the parts' power, and nobody else's business.
    const PowerDraw power = use.rent ? PowerDraw{} : cost.power;
    // The price of an hour is that of the horizon's years.
    const bool within = use.run->duration <= economics.horizon_years * units::year;
    cost.run =
        run_cost(*use.run, use.gpus, economics, power, within ? cost.per_gpu_hour : std::nullopt);
    if (!cost.run) return too_large("run");
  }
  return cost;
}

double cost_performance(double relative_performance, double relative_cost) {
  return relative_performance / relative_cost;
}

}  // namespace planner::cost
