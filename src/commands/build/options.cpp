#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "planner/commands/build/build.hpp"

namespace planner::commands {

namespace {

using R = BuildRequest;

constexpr const char* kBuilding = "The building";
constexpr const char* kFiles = "Files beside the answer";

/// The figures of a site that have a flag: those that people vary.
constexpr std::array kFlagged{
    "rack_kW",         "rack_units",    "switches_per_rack", "bay_racks",
    "block_racks",     "rows",          "rows_per_hall",     "hall_MW",
    "facility_MW",     "tray_height_m", "tray_fill",         "slack_m",
    "feeds",           "busway_amps",   "ups_share",         "ups_minutes",
    "generator_share", "pue",           "node_load"};

/// "rack-kw" of "rack_kW".
std::string flag_of(std::string_view key) {
  std::string flag;
  for (const char c : key) {
    flag += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return flag;
}

std::optional<double> figure_in(const SiteSettings& settings, std::size_t index) {
  std::optional<double> last;
  for (const auto& [at, value] : settings.figures) {
    if (at == index) last = value;
  }
  return last;
}

OptionOf<R> figure_option(std::size_t index) {
  const SiteFigure& figure = site_figures()[index];
  OptionInfo info{.name = flag_of(figure.key),
                  .value = "X",
                  .help = std::string{figure.doc},
                  .group = kBuilding};
  info.least = figure.least;
  info.most = figure.most;
  return {std::move(info),
          [index, &figure](std::string_view text, R& request) -> std::optional<std::string> {
            const Parsed<double> value = parse_non_negative(text, figure.most);
            const bool whole = value.value && *value.value == std::floor(*value.value);
            if (!value.value || *value.value < figure.least || (figure.whole && !whole)) {
              return fmt::format("must be {} from {:g} to {:g}, not \"{}\"",
                                 figure.whole ? "a whole number" : "a number", figure.least,
                                 figure.most, text);
            }
            request.settings.figures.emplace_back(index, *value.value);
            return std::nullopt;
          },
          [index](const R& a, const R& b) {
            return figure_in(a.settings, index) == figure_in(b.settings, index);
          }};
}

}  // namespace

std::vector<OptionOf<BuildRequest>> build_options() {
  std::vector<OptionOf<R>> all{
      text({"site", "NAME|FILE", "the building: planner list sites", kBuilding}, &R::site),
      choice({.name = "arrangement",
              .value = "HOW",
              .help = "how racks find their places",
              .group = kBuilding,
              .fallback = "regular",
              .assumed = true},
             &R::arrangement, kArrangements),
      integer({"seed", "N", "of the search", kBuilding}, &R::seed, 0, 1'000'000'000)};
  for (auto& option : in(&R::settings, std::vector<OptionOf<SiteSettings>>{choice(
                                           OptionInfo{.name = "switch-position",
                                                      .value = "WHERE",
                                                      .help = "where switches stand",
                                                      .group = kBuilding},
                                           &SiteSettings::switch_position, kSwitchPositions)})) {
    all.push_back(std::move(option));
  }
  for (const std::string_view key : kFlagged) {
    const auto found = std::find_if(site_figures().begin(), site_figures().end(),
                                    [&](const SiteFigure& figure) { return figure.key == key; });
    all.push_back(figure_option(static_cast<std::size_t>(found - site_figures().begin())));
  }
  all.push_back(
      turn_on({"bill", "", "adds what is to be bought, cables by length", kBuilding}, &R::bill));
  all.push_back(text({"cables", "FILE", "every cable, as CSV", kFiles}, &R::cables));
  all.push_back(text({"floor", "FILE", "the floor from above, as SVG", kFiles}, &R::floor));
  all.push_back(text({"elevations", "FILE", "the racks, as SVG", kFiles}, &R::elevations));
  all.push_back(
      text({"netbox", "FILE", "the cables for NetBox's import, as CSV", kFiles}, &R::netbox));
  all.push_back(text({"netbox-racks", "FILE", "the racks for NetBox's import, as CSV", kFiles},
                     &R::netbox_racks));
  all.push_back(text(
      {"netbox-devices", "FILE", "nodes, cards and switches for NetBox's import, as CSV", kFiles},
      &R::netbox_devices));
  return all;
}

}  // namespace planner::commands
