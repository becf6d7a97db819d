#include "planner/domain/cost.hpp"

#include <array>
#include <charconv>

namespace planner {

std::string_view name_of(Currency currency) {
  switch (currency) {
    case Currency::usd:
      return "USD";
    case Currency::relative:
      return "relative";
  }
  return "";
}

std::string_view name_of(PartCategory category) {
  switch (category) {
    case PartCategory::compute:
      return "compute";
    case PartCategory::nics:
      return "nics";
    case PartCategory::switches:
      return "switches";
    case PartCategory::transceivers:
      return "transceivers";
    case PartCategory::cables:
      return "cables";
    case PartCategory::network:
      return "network";
    case PartCategory::storage:
      return "storage";
    case PartCategory::facility:
      return "facility";
    case PartCategory::other:
      return "other";
  }
  return "";
}

std::string_view name_of(OpexItem item) {
  switch (item) {
    case OpexItem::rent:
      return "rent";
    case OpexItem::electricity:
      return "electricity";
    case OpexItem::colocation:
      return "colocation";
    case OpexItem::rack_rental:
      return "rack_rental";
    case OpexItem::building:
      return "building";
    case OpexItem::maintenance:
      return "maintenance";
    case OpexItem::insurance:
      return "insurance";
    case OpexItem::staff:
      return "staff";
    case OpexItem::site_staff:
      return "site_staff";
  }
  return "";
}

std::string to_string(const CostProblem& problem) {
  switch (problem.rule) {
    case CostRule::mixed_currency:
      return problem.subject + ": relative units and US dollars do not add up";
    case CostRule::too_large:
      return problem.subject + ": beyond 92 quadrillion dollars";
    case CostRule::out_of_range:
      return problem.subject + ": no cluster has that many";
    case CostRule::wrong_part:
      return problem.subject + ": " + problem.detail;
  }
  return "";
}

std::string financed_words(const std::optional<Financed>& financed) {
  if (!financed) return {};
  std::string words;
  if (financed->cost_of_capital > 0) {
    std::array<char, 32> percent{};
    const auto end = std::to_chars(percent.data(), percent.data() + percent.size(),
                                   100 * financed->cost_of_capital, std::chars_format::general, 6);
    words = ", at " + std::string(percent.data(), end.ptr) + " % a year";
  }
  if (financed->tax_rate > 0) words += ", after tax";
  return words;
}

std::string present_cost_words(const Financed& financed) {
  return "net present cost" + financed_words(financed);
}

}  // namespace planner
