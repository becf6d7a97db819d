#include "planner/commands/build/remedies.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "planner/commands/parts/cluster_bill.hpp"
#include "planner/commands/parts/price_book.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

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

std::string better_bays(const site::Build& built, const Physical& physical,
                        site::BuildOptions options) {
  constexpr std::size_t kMostRacks = 1500;
  constexpr std::array kBays{4.0, 6.0, 8.0, 14.0, 20.0};
  if (physical.gave("bay_racks") || built.plan.racks.size() > kMostRacks) return {};
  if (options.arrangement == Arrangement::naive) return {};
  options.arrangement = Arrangement::regular;
  options.judged = false;
  options.progress = {};
  const auto tried = [&](double bay, bool swaps) -> std::optional<site::Build> {
    Site site = physical.site;
    site.bay_racks = bay;
    options.swaps = swaps;
    auto result = site::build(physical.hardware, site, physical.media, options);
    if (auto* const found = std::get_if<site::Build>(&result)) return std::move(*found);
    return std::nullopt;
  };
  // As groups fall side by side; only the best has its racks swapped.
  double best = 0, least = std::numeric_limits<double>::max();
  for (const double bay : kBays) {
    if (bay == physical.site.bay_racks || bay > physical.site.block_racks) continue;
    const auto with = tried(bay, false);
    if (!with || with->all_metres() >= least) continue;
    least = with->all_metres();
    best = bay;
  }
  if (best == 0) return {};
  const auto with = tried(best, true);
  if (!with || with->all_metres() > 0.99 * built.all_metres()) return {};
  return fmt::format(
      "bays of {:g} racks (--bay-racks {:g}) take {:.1f} % less cable, the longest {:.1f} m in "
      "place of {:.1f}, on {} m² of floor in place of {}",
      best, best, 100 * (1 - with->all_metres() / built.all_metres()), with->laid.longest_m,
      built.laid.longest_m, grouped(std::llround(with->floor.area())),
      grouped(std::llround(built.floor.area())));
}

}  // namespace planner::commands
