#include "planner/site/trays.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

namespace planner::site {
namespace {

void add(TrayLoad& load, const TrayLoad& more, std::int64_t sign) {
  load.cables += sign * more.cables;
  load.section_mm2 += static_cast<double>(sign) * more.section_mm2;
  load.kg_per_m += static_cast<double>(sign) * more.kg_per_m;
}

/// A cable along a tray, from one stretch to before another.
void run(std::vector<TrayLoad>& tray, std::int64_t a, std::int64_t b, const TrayLoad& cable) {
  if (a == b) return;
  add(tray[std::min(a, b)], cable, 1);
  add(tray[std::max(a, b)], cable, -1);
}

/// Where cables begin and end becomes what lies there.
void add_up(std::vector<TrayLoad>& tray) {
  for (std::size_t i = 1; i < tray.size(); ++i) add(tray[i], tray[i - 1], 1);
}

}  // namespace

double section_mm2(double diameter_mm) {
  return std::numbers::pi / 4 * diameter_mm * diameter_mm;
}

double tray_section_mm2(double cables_mm2, double fill) {
  return cables_mm2 / fill;
}

namespace {

/// What each cable of a layer puts into the trays: a trunk lies there once, with all its cords (of
/// a trunk's own diameter no figure was found), for the first of its cables.
class LoadOfCables {
 public:
  LoadOfCables(const Chassis& chassis, const Laid& laid, const Media& media)
      : laid_(laid),
        domain_{.cables = 1,
                .section_mm2 = section_mm2(chassis.domain_cable_mm),
                .kg_per_m = chassis.domain_cable_kg_per_m},
        lies_(laid.shared.size(), 0) {
    for (const Medium& medium : media.all) {
      cords_.push_back({1, section_mm2(medium.diameter_mm), medium.kg_per_m});
    }
  }

  /// Nothing: it lies there already, or no medium reaches.
  TrayLoad of(std::size_t layer, std::size_t link) {
    const LaidLayer& laid = laid_.layers[layer];
    if (laid.name == kDomainLayer) return domain_;
    if (laid.medium[link] < 0) return {};
    TrayLoad load = cords_[static_cast<std::size_t>(laid.medium[link])];
    const std::int32_t shared = laid.shared.empty() ? -1 : laid.shared[link];
    const auto piece = static_cast<std::size_t>(shared);
    if (shared < 0 || laid_.shared[piece].fibres == 0) return load;
    if (std::exchange(lies_[piece], 1) != 0) return {};
    const std::int64_t cords = laid_.shared[piece].fibres / kFibresOfLink;
    load.section_mm2 *= static_cast<double>(cords);
    load.kg_per_m *= static_cast<double>(cords);
    return load;
  }

 private:
  const Laid& laid_;
  TrayLoad domain_;
  std::vector<TrayLoad> cords_;  ///< by medium
  std::vector<char> lies_;       ///< by shared piece
};

}  // namespace

Trays fill_trays(const RackPlan& plan, const Chassis& chassis, const Site& site, const Floor& floor,
                 const Places& places, const Laid& laid, const Media& media,
                 const OtherTrays& others) {
  Trays trays{.capacity_mm2 = site.tray_width_m * site.tray_depth_m * 1e6 * site.tray_fill};
  const auto rows = static_cast<std::size_t>(floor.rows());
  trays.rows.assign(rows, std::vector<TrayLoad>(floor.cols() + 1));
  trays.cross.assign(floor.cross_trays().size(), std::vector<TrayLoad>(rows + 1));
  std::vector<std::int64_t> before;  // places before each cross tray
  for (const double at : floor.cross_trays()) {
    std::int64_t col = 0;
    while (col < floor.cols() && floor.x_of_col(col) < at) ++col;
    before.push_back(std::min(col, floor.cols() - 1));
  }
  LoadOfCables loads(chassis, laid, media);
  for (std::size_t l = 0; l < plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = plan.wiring.layers[l];
    if (!has_cables(layer)) continue;
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const std::int64_t a = places[plan.rack_of[layer.from][layer.links[i].from]];
      const std::int64_t b = places[plan.rack_of[layer.to][layer.links[i].to]];
      if (a == b) continue;
      const TrayLoad cable = loads.of(l, i);
      if (cable.cables == 0) continue;
      if (floor.row(a) == floor.row(b)) {
        run(trays.rows[floor.row(a)], floor.col(a), floor.col(b), cable);
        continue;
      }
      std::int64_t via = floor.via(floor.col(a), floor.col(b));
      if (l < others.size() && i < others[l].size() && others[l][i] >= 0) via = others[l][i];
      run(trays.rows[floor.row(a)], floor.col(a), before[via], cable);
      run(trays.rows[floor.row(b)], floor.col(b), before[via], cable);
      run(trays.cross[via], floor.row(a), floor.row(b), cable);
    }
  }
  const auto close = [&](std::vector<std::vector<TrayLoad>>& all, TrayLoad& fullest) {
    for (std::vector<TrayLoad>& tray : all) {
      add_up(tray);
      for (const TrayLoad& load : tray) {
        ++trays.segments;
        if (load.section_mm2 > trays.capacity_mm2 * (1 + 1e-9)) ++trays.overfilled;
        if (load.section_mm2 > fullest.section_mm2) fullest = load;
      }
    }
  };
  close(trays.rows, trays.fullest_row);
  close(trays.cross, trays.fullest_cross);
  return trays;
}

}  // namespace planner::site
