#include <algorithm>
#include <cmath>

#include "planner/commands/build/build.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using A = BuildAnswer;

double thousandths(double value) {
  return std::round(value * 1000) / 1000;
}
/// To the millimetre: what sums of many metres are good for.
double metres(double value) {
  return thousandths(value);
}

std::vector<A::RackLine> racks_of(const site::Build& built, double feeds) {
  std::vector<A::RackLine> lines;
  for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
    const site::Rack& rack = built.plan.racks[i];
    const std::int64_t place = built.places[i];
    lines.push_back({.name = rack.name,
                     .place = built.floor.label(place),
                     .kind = rack.kind,
                     .row = built.floor.row(place) + 1,
                     .column = built.floor.col(place) + 1,
                     .x_m = thousandths(built.floor.x(place)),
                     .y_m = thousandths(built.floor.y(place)),
                     .units_used = rack.units_used,
                     .gpus = rack.gpus,
                     .circuits = site::circuits_of(rack, feeds, built.power.circuit),
                     .watts = rack.power_known ? std::optional(rack.power.si()) : std::nullopt,
                     .cooling_w = rack.cooling.si(),
                     .kg = rack.kg,
                     .liquid_w = rack.liquid.si(),
                     .contents = rack.contents});
    for (const auto& [to, cables] : built.flows[i]) {
      lines.back().cables_to.emplace_back(built.plan.racks[static_cast<std::size_t>(to)].name,
                                          std::llround(cables));
    }
  }
  return lines;
}

A::FloorLine floor_of(const site::Build& built, const Site& site) {
  const site::Floor& floor = built.floor;
  const double between = static_cast<double>(floor.halls() - 1) *
                         (2 * site.perimeter_m + site.hall_wall_m);  // walls and walkways
  A::FloorLine line{.width_m = thousandths(floor.width()),
                    .depth_m = thousandths(floor.depth()),
                    .area_m2 = thousandths(floor.area()),
                    .white_space_m2 = thousandths(floor.width() * (floor.depth() - between)),
                    .watts_per_m2 = thousandths(built.power.it.si() / floor.area()),
                    .rows = floor.rows(),
                    .places_per_row = floor.cols(),
                    .blocks = floor.blocks(),
                    .halls = floor.halls(),
                    .used_m2 = thousandths(built.used_area()),
                    .empty_rows = built.empty_rows(),
                    .rack_width_m = site.rack_width_m,
                    .rack_depth_m = site.rack_depth_m};
  for (std::int64_t place = 0; place < floor.places(); ++place) {
    if (floor.is_usable(place)) ++line.free_places;
  }
  line.free_places -= static_cast<std::int64_t>(built.plan.racks.size());
  for (const double at : floor.cross_trays()) line.cross_trays_m.push_back(thousandths(at));
  for (std::int64_t row = 0; row < floor.rows(); ++row) {
    line.rows_m.push_back(thousandths(floor.y_of_row(row)));
  }
  for (KeepOut out : site.keep_outs) {
    out.to = std::min(out.to, floor.cols());
    if (out.row <= floor.rows() && out.from <= out.to) line.keep_outs.push_back(out);
  }
  return line;
}

std::vector<A::HallLine> halls_of(const site::Build& built, const Site& site) {
  const site::Floor& floor = built.floor;
  if (floor.halls() < 2) return {};
  std::vector<A::HallLine> halls(static_cast<std::size_t>(floor.halls()));
  const auto hall = [&](std::size_t rack) { return floor.hall(built.places[rack]); };
  for (std::size_t i = 0; i < built.plan.racks.size(); ++i) {
    const site::Rack& rack = built.plan.racks[i];
    A::HallLine& line = halls[static_cast<std::size_t>(hall(i))];
    ++line.racks;
    line.gpus += rack.gpus;
    line.it_w += rack.power.si();
    line.facility_w += rack.power.si() * site.pue;
    for (const auto& [to, cables] : built.flows[i]) {
      if (hall(static_cast<std::size_t>(to)) != hall(i)) line.cables_out += std::llround(cables);
    }
  }
  return halls;
}

A::Cables cables_of(const site::Build& built) {
  const site::Laid& laid = built.laid;
  A::Cables cables{.by_medium = laid.media,
                   .total = laid.cables,
                   .required_m = metres(laid.required_m),
                   .sold_m = metres(laid.sold_m),
                   .longest_m = metres(laid.longest_m),
                   .forced_by_cages = laid.forced_ends,
                   .beyond_reach = laid.beyond.cables,
                   .trunks = laid.bundles.bundles,
                   .in_trunks = laid.bundles.cables,
                   .trunks_from = laid.bundles.links,
                   .trunks_pulled = laid.bundles.pulled,
                   .trunk_pieces = laid.bundles.trunks,
                   .breakout_racks = laid.bundles.racks,
                   .domain_cables = laid.domain_cables,
                   .domain_m = metres(laid.domain_m),
                   .domain_longest_m = metres(laid.domain_longest_m)};
  for (site::MediumUse& use : cables.by_medium) {
    use.required_m = metres(use.required_m);
    use.pieces_required_m = metres(use.pieces_required_m);
    use.sold_m = metres(use.sold_m);
    cables.pieces += use.pieces;
    cables.pieces_required_m += use.pieces_required_m;
  }
  cables.pieces_required_m = metres(cables.pieces_required_m);
  for (std::size_t i = 0; i < laid.layers.size(); ++i) {
    const site::LaidLayer& layer = laid.layers[i];
    if (layer.name == site::kDomainLayer) continue;
    cables.by_layer.push_back(
        {.layer = layer.name,
         .cables = static_cast<std::int64_t>(built.plan.wiring.layers[i].links.size()),
         .required_m = metres(layer.required_m),
         .sold_m = metres(layer.sold_m),
         .longest_m = metres(layer.longest_m)});
  }
  return cables;
}

A::Trays trays_of(const site::Trays& trays, const Site& site) {
  const auto line = [&](const site::TrayLoad& load) {
    return A::TrayLine{.cables = load.cables,
                       .fill = thousandths(trays.fill(load)),
                       .kg_per_m = thousandths(load.kg_per_m)};
  };
  const auto fills = [&](const std::vector<std::vector<site::TrayLoad>>& all) {
    std::vector<std::vector<double>> out;
    for (const auto& tray : all) {
      out.emplace_back();
      for (const site::TrayLoad& load : tray) {
        out.back().push_back(std::max(0.0, thousandths(trays.fill(load))));
      }
      out.back().pop_back();  // beyond the last place lies nothing
    }
    return out;
  };
  return {.row = line(trays.fullest_row),
          .cross = line(trays.fullest_cross),
          .stretches = trays.segments,
          .overfilled = trays.overfilled,
          .allowed_fill = site.tray_fill,
          .row_fill = fills(trays.rows),
          .cross_fill = fills(trays.cross)};
}

A::PowerLine power_of(const site::Power& power) {
  A::PowerLine line{.it_w = power.it.si(),
                    .rated_w = power.rated.si(),
                    .spare_w = power.spare.si(),
                    .facility_w = power.facility.si(),
                    .liquid_w = power.liquid.si(),
                    .densest_rack_w = power.densest_rack.si(),
                    .circuit_w = thousandths(power.circuit.si()),
                    .busway_w = thousandths(power.busway.si()),
                    .air_m3_per_s = thousandths(power.air_m3_s),
                    .coolant_l_per_min = thousandths(power.coolant_l_min),
                    .spare_nodes = power.spare_nodes,
                    .circuits = power.circuits,
                    .cdus = power.cdus,
                    .cdus_needed = power.cdus_needed,
                    .cdu_heat_w = thousandths(power.cdu_heat.si()),
                    .cdu_limit_w = power.cdu_limit.si(),
                    .backup = power.backup};
  for (const site::RowPower& row : power.by_row) {
    line.by_row.push_back(
        {.row = row.row, .watts = row.power.si(), .racks = row.racks, .gpus = row.gpus});
  }
  for (const site::CarriedUnit& unit : power.chain) {
    line.chain.push_back({.name = unit.name,
                          .watts = unit.load.si(),
                          .worst_w = unit.worst.si(),
                          .limit_w = unit.limit.si()});
  }
  return line;
}

}  // namespace

double BuildAnswer::figure(double Site::*member) const {
  for (const SiteFigure& known : site_figures()) {
    if (known.member != decltype(known.member){member}) continue;
    for (const auto& [key, value] : figures) {
      if (key == known.key) return value;
    }
  }
  return Site{}.*member;
}

std::int64_t BuildAnswer::racks_of(std::string_view kind) const {
  return std::count_if(racks.begin(), racks.end(),
                       [&](const RackLine& rack) { return rack.kind == kind; });
}

std::vector<std::pair<std::string, std::int64_t>> BuildAnswer::racks_by_kind() const {
  std::vector<std::pair<std::string, std::int64_t>> kinds;
  for (const RackLine& rack : racks) {
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& kind) { return kind.first == rack.kind; });
    if (known == kinds.end()) {
      kinds.emplace_back(rack.kind, 1);
    } else {
      ++known->second;
    }
  }
  return kinds;
}

BuildAnswer answer_of(const site::Build& built, const Site& site) {
  BuildAnswer answer{.nodes_per_rack = built.plan.packing.nodes,
                     .bound_by = std::string{name_of(built.plan.packing.bound_by)},
                     .racks = racks_of(built, site.feeds),
                     .floor = floor_of(built, site),
                     .halls = halls_of(built, site),
                     .cables = cables_of(built),
                     .trays = trays_of(built.trays, site),
                     .power = power_of(built.power),
                     .bound_m = metres(built.bound_m),
                     .gap = std::round(built.gap() * 1e6) / 1e6,
                     .swaps = built.swaps,
                     .domains = built.domains,
                     .notes = built.notes};
  if (!built.swaps_tried) {
    answer.notes.emplace_back(
        "no racks were swapped: too many for it, so the arrangement is as groups fell side by "
        "side");
  }
  return answer;
}

}  // namespace planner::commands
