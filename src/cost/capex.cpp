#include "planner/cost/capex.hpp"

#include "planner/cost/estimate_math.hpp"

namespace planner::inline cost {
namespace {

/// Counts a line without a price, and what it may come to.
bool add_missing(Total& total, const BillLine& line) {
  ++total.missing;
  const bool is_compute = line.part.category == PartCategory::compute;
  if (is_compute || !line.at_most) {
    total.unbounded = true;
    return true;
  }
  const auto larger = total.missing_at_most.plus(*line.at_most);
  if (larger) total.missing_at_most = *larger;
  return larger.has_value();
}

std::optional<Total> plus(const Total& sum_so_far, const BillLine& line) {
  Total result = sum_so_far;
  if (line.unpriced() && !add_missing(result, line)) return std::nullopt;
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
    const auto at_most = whole.missing_at_most.plus(category.total.missing_at_most);
    if (!larger || !at_most) return std::nullopt;
    whole.amount = *larger;
    whole.missing += category.total.missing;
    whole.missing_at_most = *at_most;
    whole.unbounded = whole.unbounded || category.total.unbounded;
  }
  return whole;
}

}  // namespace planner::cost
