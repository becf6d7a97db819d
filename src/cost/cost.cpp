#include "planner/cost/cost.hpp"

#include <algorithm>

#include "planner/cost/break_even.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/opex.hpp"
#include "planner/cost/ownership.hpp"
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

/// What each year costs. The rent of GPUs pays for all that is around them: what the economics have
/// besides is charged on what is bought, and staff in any case.
std::optional<std::vector<OpexLine>> yearly_costs(const CostBreakdown& cost,
                                                  const BillOfMaterials& bill,
                                                  const ClusterUse& use,
                                                  const Economics& economics) {
  auto lines = opex_per_year(economics, cost.power, cost.capex, use.racks);
  if (!lines || !use.rent) return lines;
  const auto rent = rent_per_year(economics, *use.rent, use.gpus);
  if (!rent) return std::nullopt;
  if (bill.lines.empty()) {
    std::erase_if(*lines, [](const OpexLine& line) { return line.item != OpexItem::staff; });
  }
  lines->insert(lines->begin(), *rent);
  return lines;
}

/// Fills in what follows from paying in dollars.
std::optional<CostProblem> add_years(CostBreakdown& cost, const BillOfMaterials& bill,
                                     const ClusterUse& use, const Economics& economics) {
  const auto opex = yearly_costs(cost, bill, use, economics);
  const auto yearly = opex ? total_of(*opex) : std::nullopt;
  if (!yearly) return too_large("opex");
  cost.opex = *opex;
  if (!use.rent) cost.left_out = items_left_out(economics);
  cost.opex_per_year = *yearly;
  if (!cost.capex.known() || !compute_power_known(bill)) return std::nullopt;
  const Estimate<Money>&bought = cost.capex.amount, &paid = yearly->amount;
  cost.ownership = ownership(economics, bought, paid);
  if (!cost.ownership) return too_large("total cost of ownership");
  if (economics.cost_of_capital || economics.tax_rate) {
    cost.financed = financed(economics, bought, paid, *cost.ownership);
    if (!cost.financed) return too_large("net present cost");
  }
  cost.per_gpu_hour = cost_per_gpu_hour(economics, *cost.ownership, cost.financed, use.gpus);
  if (use.rent) return std::nullopt;
  const auto curve = rent_or_buy(economics, use.accelerator, use.gpus, bought, paid);
  if (!curve) return too_large("rent");
  cost.rent_or_buy = *curve;
  const CloudPrice* const cloud = rent_of(economics, use.accelerator, RentTerm::on_demand);
  if (cloud == nullptr) return std::nullopt;
  cost.break_even = break_even(economics, cloud->rent, use.gpus, bought, paid, *cost.ownership);
  if (!cost.break_even) return too_large("rent");
  return std::nullopt;
}

std::optional<CostProblem> out_of_range(const ClusterUse& use) {
  if (use.gpus <= 0) return CostProblem{CostRule::out_of_range, "gpus"};
  if (use.run && (use.run->gpus <= 0 || use.run->gpus > use.gpus)) {
    return CostProblem{CostRule::out_of_range, "gpus of the run"};
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

  const Economics economics = use.economics.value_or(Economics{});
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
    cost.run = run_cost(*use.run, use.gpus, economics, power, cost.per_gpu_hour);
    if (!cost.run) return too_large("run");
  }
  return cost;
}

double cost_performance(double relative_performance, double relative_cost) {
  return relative_performance / relative_cost;
}

}  // namespace planner::cost
