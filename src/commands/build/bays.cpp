#include "planner/commands/build/bays.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// "a floor of 584 m² in place of 365"
std::string floor_text(double before, double now) {
  const std::string was = grouped(std::llround(before)), is = grouped(std::llround(now));
  return is == was ? "a floor of " + is + " m² too" : "a floor of " + is + " m² in place of " + was;
}

}  // namespace

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
  // Advice that overfills a tray is none.
  const auto fuller = [&](const site::Build& with) {
    return with.trays.overfilled > built.trays.overfilled;
  };
  // As groups fall side by side; only the best has its racks swapped.
  double best = 0, least = std::numeric_limits<double>::max();
  for (const double bay : kBays) {
    if (bay == physical.site.bay_racks || bay > physical.site.block_racks) continue;
    const auto with = tried(bay, false);
    if (!with || with->all_metres() >= least || fuller(*with)) continue;
    least = with->all_metres();
    best = bay;
  }
  if (best == 0) return {};
  const auto with = tried(best, true);
  if (!with || with->all_metres() > 0.99 * built.all_metres() || fuller(*with)) return {};
  return fmt::format(
      "bays of {:g} racks (--bay-racks {:g}) take {:.1f} % less cable, the longest {} m in "
      "place of {}, on {}{}",
      best, best, 100 * (1 - with->all_metres() / built.all_metres()),
      grouped(with->laid.longest_m, 1), grouped(built.laid.longest_m, 1),
      floor_text(built.floor.area(), with->floor.area()),
      options.priced ? ": " + options.priced(*with) : std::string());
}

}  // namespace planner::commands
