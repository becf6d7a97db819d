#include "planner/cost/owning.hpp"

#include "planner/cost/estimate_math.hpp"
#include "planner/cost/finance.hpp"
#include "planner/cost/opex.hpp"
#include "planner/cost/ownership.hpp"
#include "planner/cost/rent_terms.hpp"

namespace planner::inline cost {
namespace {

/// What each year costs. The rent of GPUs pays for all that is around them: what the economics have
/// besides is charged on what is bought, and staff in any case.
std::optional<std::vector<OpexLine>> yearly_costs(const Economics& economics,
                                                  const CapexAndPower& bought) {
  auto lines = opex_per_year(economics, bought.power, bought.capex, bought.racks);
  if (!lines || !bought.rent) return lines;
  const auto rent = rent_per_year(economics, *bought.rent, bought.rented);
  if (!rent) return std::nullopt;
  if (!bought.buys) {
    std::erase_if(*lines, [](const OpexLine& line) { return line.item != OpexItem::staff; });
  }
  lines->insert(lines->begin(), *rent);
  return lines;
}

/// The yearly costs as equal payments of the horizon: rents of terms that end after it are paid
/// later than that.
std::optional<Total> equal_payments(std::vector<OpexLine> lines, const Economics& economics,
                                    const CapexAndPower& bought,
                                    const std::vector<OpexItem>& not_given) {
  for (OpexLine& line : lines) {
    if (line.item != OpexItem::rent) continue;
    const double worth = rent_worth(economics, bought.rent->term);
    line.per_year =
        in_cents(each([=](Usd a_year) { return worth * a_year; }, in_dollars(*line.per_year)));
    if (!line.per_year) return std::nullopt;
  }
  return total_of(lines, not_given);
}

/// What nobody gave of what there is to pay: of rented GPUs alone no more than staff.
std::vector<OpexItem> left_out(const Economics& economics, const CapexAndPower& bought) {
  std::vector<OpexItem> items = items_left_out(economics);
  if (!bought.buys) std::erase_if(items, [](OpexItem item) { return item != OpexItem::staff; });
  return items;
}

}  // namespace

OwningResult owning(const Economics& economics, const CapexAndPower& bought) {
  auto opex = yearly_costs(economics, bought);
  std::vector<OpexItem> not_given = left_out(economics, bought);
  const auto yearly = opex ? total_of(*opex, not_given) : std::nullopt;
  if (!yearly) return CostProblem{CostRule::too_large, "opex"};
  Owning all{.opex = *std::move(opex), .left_out = std::move(not_given), .opex_per_year = *yearly};
  if (!bought.capex.known() || !bought.compute_power_known) return all;
  const Estimate<Money>&capex = bought.capex.amount, &paid = yearly->amount;
  all.ownership = ownership(economics, capex, paid);
  if (!all.ownership) return CostProblem{CostRule::too_large, "total cost of ownership"};
  if (economics.cost_of_capital || economics.tax_rate) {
    const auto even = equal_payments(all.opex, economics, bought, all.left_out);
    if (even) all.financed = financed(economics, capex, even->amount, *all.ownership);
    if (!all.financed) return CostProblem{CostRule::too_large, "net present cost"};
  }
  all.per_gpu_hour = cost_per_gpu_hour(economics, *all.ownership, all.financed, bought.gpus);
  return all;
}

}  // namespace planner::cost
