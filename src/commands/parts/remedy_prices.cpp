#include "planner/commands/parts/remedy_prices.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "planner/commands/parts/cluster_bill.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/present/currency.hpp"

namespace planner::commands {

namespace {

/// The lines of cables and transceivers; nothing: some have no price.
std::optional<double> bought(const ClusterNetwork& at, const Physical& physical,
                             const site::Laid& laid, const PriceBook& book, ClusterModels models) {
  models.links = laid_parts(at, physical, laid, models.fabric, book);
  double sum = 0;
  for (const BillLine& line : billed(at, models, book).lines) {
    const PartCategory of = line.part.category;
    if (of != PartCategory::cables && of != PartCategory::transceivers) continue;
    if (line.unpriced()) return std::nullopt;
    if (line.total) sum += line.total->expected.dollars();
  }
  return sum;
}

}  // namespace

std::function<std::string(const site::Build&)> pricing(const ClusterNetwork& at,
                                                       const Physical& physical,
                                                       const site::Laid& laid,
                                                       const catalog::Catalog& catalog) {
  static constexpr const char* kNone = "its cables and modules without a price";
  std::optional<PriceBook> book;
  try {
    book = load_prices(at.cluster.prices, catalog);
  } catch (const InputError&) {  // a build asks for no prices
  }
  if (!book) return [](const site::Build&) { return std::string(kNone); };
  ClusterModels models = models_of(at, catalog);
  take_stand_ins(physical, models);
  const auto before = bought(at, physical, laid, *book, models);
  return [&at, &physical, book = *std::move(book), models = std::move(models),
          before](const site::Build& other) -> std::string {
    const auto after =
        before ? bought(at, physical, other.laid, book, models) : std::optional<double>();
    if (!after) return kNone;
    const double more = *after - *before;
    if (std::abs(more) < 1) return "cables and modules at the same price";
    const std::string amount = present::whole_amount_text(
        present::shown_amount(std::abs(more), book.currency), present::money_unit(book.currency));
    return fmt::format("cables and modules {} {}", amount, more > 0 ? "more" : "less");
  };
}

}  // namespace planner::commands
