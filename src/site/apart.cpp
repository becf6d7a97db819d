#include "planner/site/apart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner/core/grouped.hpp"

namespace planner::site {
namespace {

constexpr std::int64_t kApart = -2;

Way way_of(const Build& built, const WiredLayer& layer, const Link& link) {
  const Floor& floor = built.floor;
  const std::int32_t rack = built.plan.rack_of[layer.to][link.to];
  const std::int64_t at = built.places[rack];
  const std::int64_t card = built.places[built.plan.rack_of[layer.from][link.from]];
  const std::int64_t block = floor.col(at) / floor.block_racks();
  return {
      .rack = rack,
      .row = floor.row(at) * floor.blocks() + block,
      .tray = floor.row(at) == floor.row(card) ? -1 : floor.via(floor.col(at), floor.col(card))};
}

/// Of all cards, what their ports have in common, and how many they have.
struct Common {
  std::vector<Way> ways;
  std::vector<std::int64_t> ports;
};

Common common_of(const Build& built) {
  Common common;
  for (const WiredLayer& layer : built.plan.wiring.layers) {
    if (layer.name != "host") continue;
    common.ways.resize(built.plan.wiring.kinds[layer.from].count);
    common.ports.resize(common.ways.size(), 0);
    for (const Link& link : layer.links) {
      const Way way = way_of(built, layer, link);
      Way& of = common.ways[link.from];
      if (common.ports[link.from]++ == 0) {
        of = way;
        continue;
      }
      if (of.rack != way.rack) of.rack = kApart;
      if (of.row != way.row) of.row = kApart;
      if (of.tray != way.tray) of.tray = kApart;
    }
  }
  return common;
}

/// Another way for a cable between rows.
struct Detour {
  double more = 0;  ///< metres
  std::size_t layer = 0, link = 0;
  std::int32_t tray = -1;  ///< none
};

Detour detour_of(const Floor& floor, std::int64_t ca, std::int64_t cb) {
  const std::int64_t shortest = floor.via(ca, cb);
  const auto way = [&](std::size_t tray) {
    const double at = floor.cross_trays()[tray];
    return std::abs(floor.x_of_col(ca) - at) + std::abs(floor.x_of_col(cb) - at);
  };
  const double now = way(static_cast<std::size_t>(shortest));
  Detour best;
  for (std::size_t tray = 0; tray < floor.cross_trays().size(); ++tray) {
    if (static_cast<std::int64_t>(tray) == shortest) continue;
    const double more = way(tray) - now;
    if (best.tray >= 0 && more >= best.more) continue;
    best.more = more;
    best.tray = static_cast<std::int32_t>(tray);
  }
  return best;
}

/// Of each card with all cables in one cross tray, the cable that another costs least.
std::vector<Detour> detours_of(const Build& built) {
  const Common common = common_of(built);
  std::vector<Detour> best(common.ways.size());
  const auto& layers = built.plan.wiring.layers;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (layers[l].name != "host") continue;
    for (std::size_t i = 0; i < layers[l].links.size(); ++i) {
      const Link& link = layers[l].links[i];
      if (common.ports[link.from] < 2 || common.ways[link.from].tray < 0) continue;
      const std::int64_t a = built.places[built.plan.rack_of[layers[l].from][link.from]];
      const std::int64_t b = built.places[built.plan.rack_of[layers[l].to][link.to]];
      Detour detour = detour_of(built.floor, built.floor.col(a), built.floor.col(b));
      Detour& of = best[link.from];
      if (of.tray >= 0 && detour.more >= of.more) continue;
      detour.layer = l;
      detour.link = i;
      of = detour;
    }
  }
  std::erase_if(best, [](const Detour& detour) { return detour.tray < 0; });
  return best;
}

/// Whether a stretch that held its cables before does not any more.
bool is_fuller(const Trays& now, const Trays& before) {
  const auto any = [](const auto& lines, const auto& lines_before, double most) {
    for (std::size_t line = 0; line < lines.size(); ++line) {
      for (std::size_t i = 0; i < lines[line].size(); ++i) {
        const double was = lines_before[line][i].section_mm2, is = lines[line][i].section_mm2;
        if (is > most * (1 + 1e-9) && was <= most * (1 + 1e-9)) return true;
      }
    }
    return false;
  };
  return any(now.rows, before.rows, now.capacity_mm2) ||
         any(now.cross, before.cross, now.capacity_mm2);
}

/// What the detours lead to; empty: a cable would be too long or a tray too full.
std::string through_other_trays(const Build& built, const Hardware& hardware, const Site& site,
                                const Media& media) {
  const std::vector<Detour> detours = detours_of(built);
  const Lengths lengths(built.plan, site, built.floor, built.places);
  OtherTrays others(built.plan.wiring.layers.size());
  double more = 0, longest = 0;
  for (const Detour& detour : detours) {
    const WiredLayer& layer = built.plan.wiring.layers[detour.layer];
    const int medium = built.laid.layers[detour.layer].medium[detour.link];
    if (medium < 0) return {};
    const double metres = lengths.of(layer, layer.links[detour.link]).metres + detour.more;
    const Medium& of = media.all[static_cast<std::size_t>(medium)];
    if (metres > of.reach_m || sold_length(of.sold_m, metres) < 0) return {};
    std::vector<std::int32_t>& trays = others[detour.layer];
    if (trays.empty()) trays.assign(layer.links.size(), -1);
    trays[detour.link] = detour.tray;
    more += detour.more;
    longest = std::max(longest, metres);
  }
  const Trays filled = fill_trays(built.plan, hardware.chassis, site, built.floor, built.places,
                                  built.laid, media, others);
  if (detours.empty() || is_fuller(filled, built.trays)) return {};
  return "one cable of each through the next cross tray: " + grouped(more / 1000, 1) +
         " km more in all (no price), " + grouped(longest, 1) +
         " m the longest of them, no tray too full by it";
}

/// What places of the switches that keep what holds come to, told with the first; each that does
/// not is noted.
std::string switches_elsewhere(const Site& site, const Remedies& remedies, const auto& holds,
                               const auto& note) {
  for (const SwitchPosition position : kSwitchPositions) {
    Site other = site;
    other.switch_position = position;
    if (position == site.switch_position) continue;
    const std::string words = "switches at " + std::string{name_of(position)};
    if (const std::string with = remedies.healed(other, holds); !with.empty()) {
      return words + ": " + with;
    }
    note(words);
  }
  return {};
}

}  // namespace

std::vector<Way> ways_of_cards(const Build& built) {
  const Common common = common_of(built);
  std::vector<Way> shared;
  for (std::size_t i = 0; i < common.ways.size(); ++i) {
    if (common.ports[i] > 1) shared.push_back(common.ways[i]);
  }
  return shared;
}

std::string racks_apart(const Site& site, const Remedies& remedies) {
  const auto apart = [](const Build& built) {
    const std::vector<Way> ways = ways_of_cards(built);
    return std::none_of(ways.begin(), ways.end(), [](const Way& way) { return way.rack >= 0; });
  };
  for (Site fewer = site; fewer.switches_per_rack > 1;) {
    fewer.switches_per_rack = std::floor(fewer.switches_per_rack / 2);
    const std::string with = remedies.healed(fewer, apart);
    if (!with.empty()) {
      const std::string number = grouped(fewer.switches_per_rack, 0);
      return number + (number == "1" ? " switch a rack: " : " switches a rack: ") + with;
    }
  }
  const std::string with = switches_elsewhere(site, remedies, apart, [](const std::string&) {});
  return with.empty() ? "in vain: fewer switches a rack, other places for them" : with;
}

std::string trays_apart(const Build& built, const Hardware& hardware, const Site& site,
                        const Media& media, const Remedies& remedies) {
  if (std::string with = through_other_trays(built, hardware, site, media); !with.empty()) {
    return with;
  }
  const auto apart = [](const Build& other) {
    const std::vector<Way> ways = ways_of_cards(other);
    return std::none_of(ways.begin(), ways.end(), [](const Way& way) { return way.tray >= 0; });
  };
  std::string tried = "one cable of each through the next cross tray";
  const auto note = [&](const std::string& words) { tried += ", " + words; };
  for (const double bay : {4.0, 6.0, 8.0, 10.0, 20.0}) {
    Site other = site;
    other.bay_racks = bay;
    if (bay == site.bay_racks || bay > site.block_racks) continue;
    const std::string words = "bays of " + grouped(bay, 0) + " racks";
    if (const std::string with = remedies.healed(other, apart); !with.empty()) {
      return words + ": " + with;
    }
    note(words);
  }
  if (std::string with = switches_elsewhere(site, remedies, apart, note); !with.empty())
    return with;
  return "in vain: " + tried;
}

}  // namespace planner::site
