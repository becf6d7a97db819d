#include "planner/cost/capex.hpp"

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {
namespace {

std::optional<Total> plus(const Total& sum_so_far, const BillLine& line) {
  Total result = sum_so_far;
  if (line.unpriced()) ++result.missing;
  if (!line.total) return result;
  const auto amount = sum(result.amount, *line.total);
  if (!amount) return std::nullopt;
  result.amount = *amount;
  return result;
}

}  // namespace

std::optional<std::vector<CategoryCost>> capex_by_category(const BillOfMaterials& bill) {
  std::vector<CategoryCost> categories;
  for (const PartCategory category : kPartCategories) {
    bool any = false;
    Total total;
    for (const BillLine& line : bill.lines) {
      if (line.part.category != category) continue;
      any = true;
      const auto larger = plus(total, line);
      if (!larger) return std::nullopt;
      total = *larger;
    }
    if (any) categories.push_back({category, total});
  }
  return categories;
}

std::optional<Total> capex(const BillOfMaterials& bill) {
  Total total;
  for (const BillLine& line : bill.lines) {
    const auto larger = plus(total, line);
    if (!larger) return std::nullopt;
    total = *larger;
  }
  return total;
}

bool is_network(PartCategory category) {
  return category == PartCategory::switches || category == PartCategory::transceivers ||
         category == PartCategory::cables || category == PartCategory::nics ||
         category == PartCategory::network;
}

std::optional<Total> network_total(const std::vector<CategoryCost>& categories) {
  Total whole;
  for (const CategoryCost& category : categories) {
    if (!is_network(category.category)) continue;
    const auto larger = sum(whole.amount, category.total.amount);
    if (!larger) return std::nullopt;
    whole.amount = *larger;
    whole.missing += category.total.missing;
  }
  return whole;
}

}  // namespace planner::cost
