#include "planner/cost/cost.hpp"

#include "planner/cost/break_even.hpp"
#include "planner/cost/capex.hpp"
#include "planner/cost/opex.hpp"
#include "planner/cost/ownership.hpp"
#include "planner/cost/power.hpp"
#include "planner/cost/run_cost.hpp"

namespace planner::inline cost {
namespace {

CostProblem too_large(std::string subject) {
  return {.rule = CostRule::too_large, .subject = std::move(subject)};
}

const CloudPrice* rented_as(const Economics& economics, const std::string& accelerator) {
  for (const CloudPrice& price : economics.cloud) {
    if (price.accelerator == accelerator) return &price;
  }
  return nullptr;
}

/// Without the price of what would be rented, "pays after at least 12 days" misleads.
bool compute_is_priced(const CostBreakdown& cost) {
  for (const CategoryCost& category : cost.categories) {
    if (category.category == PartCategory::compute) return !category.total.at_least();
  }
  return false;
}

/// Fills in what follows from paying in dollars.
std::optional<CostProblem> add_years(CostBreakdown& cost, const ClusterUse& use,
                                     const Economics& economics) {
  const auto opex = opex_per_year(economics, cost.power, cost.capex, use.racks);
  const auto yearly = opex ? total_of(*opex) : std::nullopt;
  if (!yearly) return too_large("opex");
  cost.opex = *opex;
  cost.left_out = items_left_out(economics);
  cost.opex_per_year = *yearly;
  cost.ownership = ownership(economics, cost.capex.amount, yearly->amount);
  if (!cost.ownership) return too_large("total cost of ownership");
  cost.per_gpu_hour = cost_per_gpu_hour(economics, *cost.ownership, use.gpus);
  const CloudPrice* const cloud = rented_as(economics, use.accelerator);
  if (cloud == nullptr || !compute_is_priced(cost)) return std::nullopt;
  cost.break_even = break_even(economics, cloud->rent, use.gpus, cost.capex.amount, yearly->amount,
                               *cost.ownership);
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
  if (relative && use.economics && use.economics->has_money()) {
    return CostProblem{CostRule::mixed_currency, "economics"};
  }
  const auto categories = capex_by_category(bill);
  const auto whole = capex(bill);
  if (!categories || !whole) return too_large("capex");

  const Economics economics = use.economics.value_or(Economics{});
  CostBreakdown cost{.currency = bill.currency,
                     .categories = *categories,
                     .capex = *whole,
                     .power = power_draw(bill, economics.pue)};
  if (use.economics && !relative) {
    if (const auto problem = add_years(cost, use, economics)) return *problem;
  }
  if (use.run) {
    cost.run = run_cost(*use.run, use.gpus, economics, cost.power, cost.per_gpu_hour);
    if (!cost.run) return too_large("run");
  }
  return cost;
}

double cost_performance(double relative_performance, double relative_cost) {
  return relative_performance / relative_cost;
}

}  // namespace planner::cost
