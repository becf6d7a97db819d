#include "planner/cost/unpriced.hpp"

#include <algorithm>
#include <string_view>

#include "planner/cost/bill.hpp"

namespace planner::inline cost {
namespace {

constexpr std::size_t kNamed = 3;  ///< lines that a sentence names

/// 32768 as "32,768".
std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

/// What the bill calls the parts of a network that no model is named for.
std::optional<PartCategory> nameless(std::string_view part) {
  if (part.starts_with("switch-")) return PartCategory::switches;
  if (part.starts_with("module-")) return PartCategory::transceivers;
  const bool copper = part.starts_with("dac-") || part.starts_with("acc-");
  if (copper || part.starts_with("aoc-") || part.starts_with("fibre")) return PartCategory::cables;
  return std::nullopt;
}

std::optional<PartCategory> category_of(const Price& price) {
  return price.category ? price.category : nameless(price.part);
}

}  // namespace

std::optional<Money> dearest(const PriceBook& book, const Part& part) {
  std::optional<Money> most;
  for (const Price& price : book.prices) {
    if (!price.amount || category_of(price) != part.category) continue;
    Money high = price.amount->high;
    if (price.per_metre && part.length_m) {
      const auto metres = Money::from_dollars(price.per_metre->high.dollars() * *part.length_m);
      if (metres) high = high.plus(*metres).value_or(high);
    }
    if (!most || high > *most) most = high;
  }
  // A splitter or a trunk costs no more than as many cables as it carries links.
  if (most && part.category == PartCategory::cables && part.ports > 1) {
    return most->times(part.ports);
  }
  return most;
}

std::string not_priced(const BillOfMaterials& bill) {
  std::string names;
  std::size_t lines = 0;
  for (const BillLine& line : bill.lines) {
    if (!line.unpriced() || ++lines > kNamed) continue;
    names += (names.empty() ? "" : ", ") + grouped(line.quantity) + " × " + line.part.title +
             " (part key " + line.part.id + ")";
  }
  if (lines > kNamed) names += " and " + std::to_string(lines - kNamed) + " more";
  return names;
}

std::vector<std::string> unused_entries(const PriceBook& book, const BillOfMaterials& bill) {
  std::vector<std::string> unused;
  for (const Price& price : book.prices) {
    const bool bought =
        std::any_of(bill.lines.begin(), bill.lines.end(), [&price](const BillLine& line) {
          return line.part.id == price.part || key_with_length(line.part) == price.part;
        });
    if (!bought && !category_of(price)) unused.push_back(price.part);
  }
  return unused;
}

}  // namespace planner::cost
