#include "planner/domain/site.hpp"

namespace planner {

std::string_view name_of(SwitchPosition position) {
  switch (position) {
    case SwitchPosition::tor:
      return "tor";
    case SwitchPosition::mid_row:
      return "mid-row";
    case SwitchPosition::end_row:
      return "end-row";
    case SwitchPosition::network_row:
      return "network-row";
    case SwitchPosition::network_room:
      return "network-room";
  }
  return "";
}

std::string_view name_of(Arrangement arrangement) {
  switch (arrangement) {
    case Arrangement::naive:
      return "naive";
    case Arrangement::regular:
      return "regular";
    case Arrangement::searched:
      return "searched";
  }
  return "";
}

std::string_view name_of(MediumKind kind) {
  switch (kind) {
    case MediumKind::copper:
      return "copper";
    case MediumKind::active_copper:
      return "active-copper";
    case MediumKind::active_optical:
      return "active-optical";
    case MediumKind::multi_mode:
      return "multi-mode";
    case MediumKind::single_mode:
      return "single-mode";
  }
  return "";
}

std::span<const SiteFigure> site_figures() {
  using S = Site;
  static constexpr bool kWhole = true, kAny = false;
  static const auto all = std::to_array<SiteFigure>({
      {"rack_units", &S::rack_units, 4, 100, kWhole, "height of a rack"},
      {"rack_width_m", &S::rack_width_m, 0.3, 2, kAny, "pitch along a row"},
      {"rack_depth_m", &S::rack_depth_m, 0.3, 3, kAny, "of a rack"},
      {"rack_base_m", &S::rack_base_m, 0, 1, kAny, "floor to the first unit"},
      {"rack_kW", &S::rack_kw, 0.1, 2000, kAny,
       "limit of a rack; left out: 42, or 140 with liquid-cooled nodes"},
      {"rack_door_kW", &S::rack_door_kw, 0, 500, kAny, "more, by a rear-door heat exchanger"},
      {"rack_kg", &S::rack_kg, 50, 20000, kAny, "limit of a rack; left out: none"},
      {"empty_rack_kg", &S::empty_rack_kg, 0, 2000, kAny, "of a rack with PDUs"},
      {"first_unit", &S::first_unit, 0, 50, kWhole,
       "free units below the lowest node; left out: 4, if nodes leave them"},
      {"switches_per_rack", &S::switches_per_rack, 1, 50, kWhole, "at most"},
      {"bay_racks", &S::bay_racks, 4, 40, kWhole, "racks beside one network place"},
      {"block_racks", &S::block_racks, 4, 200, kWhole, "racks of a row between main aisles"},
      {"cold_aisle_m", &S::cold_aisle_m, 0.3, 10, kAny, "between fronts"},
      {"hot_aisle_m", &S::hot_aisle_m, 0.3, 10, kAny, "between backs"},
      {"main_aisle_m", &S::main_aisle_m, 0, 20, kAny, "between row blocks"},
      {"perimeter_m", &S::perimeter_m, 0, 50, kAny, "walkway around"},
      {"rows", &S::rows, 1, 10000, kWhole, "rows of the floor; left out: as many as needed"},
      {"row_blocks", &S::row_blocks, 1, 1000, kWhole, "side by side; left out: near a square"},
      {"rows_per_hall", &S::rows_per_hall, 1, 10000, kWhole, "left out: one hall"},
      {"hall_wall_m", &S::hall_wall_m, 0, 500, kAny, "more length into the next hall"},
      {"tray_height_m", &S::tray_height_m, 1, 20, kAny, "of the overhead trays"},
      {"underfloor_m", &S::underfloor_m, 0, 3, kAny, "depth of a raised floor that holds them"},
      {"tray_width_m", &S::tray_width_m, 0.01, 5, kAny, "of a tray"},
      {"tray_depth_m", &S::tray_depth_m, 0.01, 2, kAny, "of a tray"},
      {"tray_fill", &S::tray_fill, 0.01, 1, kAny, "share of its section that cables may take"},
      {"slack_m", &S::slack_m, 0, 20, kAny, "at each end"},
      {"in_rack_slack_m", &S::in_rack_slack_m, 0, 20, kAny, "of a cable within a rack"},
      {"medium_step_m", &S::medium_step_m, 0, 1e6, kAny,
       "metres of fibre that a dearer medium is worth in placement"},
      {"trunk_fibres", &S::trunk_links, 1, 1e6, kWhole,
       "fibre cables between two racks from which trunks replace them; left out: none"},
      {"feeds", &S::feeds, 1, 8, kWhole, "independent feeds of a rack"},
      {"volts", &S::volts, 50, 1000, kAny, "between phases"},
      {"amps", &S::amps, 1, 2000, kAny, "of a rack circuit"},
      {"breaker_share", &S::breaker_share, 0.1, 1, kAny, "of a breaker that may flow on"},
      {"busway_amps", &S::busway_amps, 1, 20000, kAny, "of the busway of a row block and feed"},
      {"hall_MW", &S::hall_mw, 0.001, 10000, kAny, "limit of a hall, cooling included"},
      {"facility_MW", &S::facility_mw, 0.001, 100000, kAny, "limit of all, cooling included"},
      {"ups_share", &S::ups_share, 0, 1, kAny, "of IT power behind a UPS; left out: all"},
      {"ups_minutes", &S::ups_minutes, 0.01, 1440, kAny,
       "that it carries them; left out: not known"},
      {"generator_share", &S::generator_share, 0, 1, kAny,
       "of IT and cooling that generators carry; left out: not known"},
      {"pue", &S::pue, 1, 5, kAny, "facility over IT power"},
      {"air_delta_K", &S::air_delta_k, 1, 50, kAny, "warming of the air"},
      {"liquid_delta_K", &S::liquid_delta_k, 1, 50, kAny, "warming of the coolant"},
      {"cdu_kW", &S::cdu_kw, 1, 100000, kAny, "of a coolant distribution unit"},
      {"cdu_reserve", &S::cdu_reserve, 0, 100, kWhole,
       "cooling units in reserve, of the hall or of each unit's loop; left out: 1, 0 beside racks"},
      {"node_load", &S::node_load, 0.1, 1, kAny, "share of rated power that nodes draw"},
      {"switch_W", &S::switch_w, 1, 100000, kAny,
       "of a switch whose model has no power; left out: not counted"},
      {"module_W", &S::module_w, 0, 1000, kAny,
       "of a module whose model has no power; left out: not counted"},
  });
  return all;
}

void apply(const SiteSettings& settings, Site& site) {
  for (const auto& [index, value] : settings.figures) {
    std::visit([&, value = value](auto member) { site.*member = value; },
               site_figures()[index].member);
  }
  if (settings.switch_position) site.switch_position = settings.switch_position;
  if (settings.media) site.media = *settings.media;
  if (settings.keep_outs) site.keep_outs = *settings.keep_outs;
  if (settings.power_units) site.power_units = *settings.power_units;
}

}  // namespace planner
