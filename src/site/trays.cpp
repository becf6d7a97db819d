#include "planner/site/trays.hpp"

#include <algorithm>
#include <numbers>

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

Trays fill_trays(const RackPlan& plan, const Site& site, const Floor& floor, const Places& places,
                 const Laid& laid, const Media& media) {
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
  for (std::size_t l = 0; l < plan.wiring.layers.size(); ++l) {
    const WiredLayer& layer = plan.wiring.layers[l];
    if (!has_cables(layer) || layer.name == kDomainLayer) continue;
    for (std::size_t i = 0; i < layer.links.size(); ++i) {
      const int medium = laid.layers[l].medium[i];
      const std::int64_t a = places[plan.rack_of[layer.from][layer.links[i].from]];
      const std::int64_t b = places[plan.rack_of[layer.to][layer.links[i].to]];
      if (a == b || medium < 0) continue;
      const Medium& of = media.all[medium];
      const TrayLoad cable{1, section_mm2(of.diameter_mm), of.kg_per_m};
      if (floor.row(a) == floor.row(b)) {
        run(trays.rows[floor.row(a)], floor.col(a), floor.col(b), cable);
        continue;
      }
      const std::int64_t via = floor.via(floor.col(a), floor.col(b));
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
