#include "planner/commands/parts/price_book.hpp"

#include <fmt/format.h>

#include <map>

#include "planner/core/closest_match.hpp"
#include "planner/core/release.hpp"
#include "planner/cost/unpriced.hpp"

namespace planner::commands {

namespace {

using Categories = std::map<std::string, PartCategory>;

/// Every part of the catalog with the group that a bill has it in.
Categories parts_of(const catalog::Catalog& catalog) {
  namespace kinds = catalog::kinds;
  Categories parts;
  const auto add = [&](const catalog::CatalogKind& kind, PartCategory category) {
    for (const std::string& name : catalog.names(kind)) parts.emplace(name, category);
  };
  add(kinds::node, PartCategory::compute);
  add(kinds::accelerator, PartCategory::compute);
  add(kinds::nic, PartCategory::nics);
  add(kinds::switch_model, PartCategory::switches);
  add(kinds::storage, PartCategory::storage);
  for (const std::string& name : catalog.names(kinds::optic)) {
    const bool module = catalog.load_optic(name).kind == OpticKind::transceiver;
    parts.emplace(name, module ? PartCategory::transceivers : PartCategory::cables);
  }
  return parts;
}

/// What may have been meant, the parts that need a price first.
std::string meant_by(const std::string& entry, const BillOfMaterials& bill,
                     const Categories& catalog) {
  std::vector<std::string> candidates;
  for (const BillLine& line : bill.lines) {
    if (line.unpriced()) candidates.push_back(line.part.id);
  }
  for (const BillLine& line : bill.lines) candidates.push_back(line.part.id);
  for (const auto& [part, category] : catalog) candidates.push_back(part);
  const auto meant = closest_match(entry, candidates);
  return meant ? fmt::format(" (did you mean \"{}\"?)", *meant) : "";
}

}  // namespace

PriceBook load_prices(const std::string& ref, const catalog::Catalog& catalog) {
  PriceBook book = catalog.load_price_book(ref);
  const Categories known = parts_of(catalog);
  for (Price& price : book.prices) {
    const auto part = known.find(price.part);
    if (!price.category && part != known.end()) price.category = part->second;
  }
  return book;
}

void warn_about_unused(const PriceBook& book, const std::string& ref, const BillOfMaterials& bill,
                       const catalog::Catalog& catalog, std::vector<std::string>& warnings) {
  if (catalog::is_catalog_name(ref)) return;
  const std::vector<std::string> unused = unused_entries(book, bill);
  if (unused.empty()) return;
  const Categories known = parts_of(catalog);
  for (const std::string& entry : unused) {
    warnings.push_back(fmt::format("price book {}: nothing here is called \"{}\"{}", book.name,
                                   entry, meant_by(entry, bill, known)));
  }
}

void warn_about_later(const PriceBook& book, const std::optional<Economics>& economics,
                      std::vector<std::string>& warnings) {
  const auto later = [](const std::string& date) {
    return date.substr(0, kReleased.size()) > kReleased.substr(0, date.size());
  };
  const auto warn = [&](const std::string& where, const std::string& what, const std::string& of) {
    warnings.push_back(fmt::format("{}: \"as_of\" of {} is {}, later than this planner ({})", where,
                                   what, of, kReleased));
  };
  for (const Price& price : book.prices) {
    if (!later(price.origin.as_of)) continue;
    warn("price book " + book.name, "the price of " + price.part, price.origin.as_of);
  }
  if (!economics) return;
  for (const CloudPrice& rent : economics->cloud) {
    if (!later(rent.origin.as_of)) continue;
    warn("economics " + economics->name,
         fmt::format("the rent of {}, {},", rent.accelerator, name_of(rent.term)),
         rent.origin.as_of);
  }
}

std::string price_remark(const BillOfMaterials& bill, bool has_total) {
  const std::string lines = not_priced(bill);
  if (lines.empty()) return {};
  return has_total ? "every total is a lower bound, not priced: " + lines
                   : "no total, not priced: " + lines;
}

}  // namespace planner::commands
