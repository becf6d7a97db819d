#pragma once

#include <cstdint>
#include <vector>

#include "planner/site/cables.hpp"

namespace planner::site {

/// What lies in one stretch of tray.
struct TrayLoad {
  std::int64_t cables = 0;
  double section_mm2 = 0, kg_per_m = 0;
};

/// All stretches between neighbouring places of a row, and of a cross tray between rows.
struct Trays {
  double capacity_mm2 = 0;                   ///< that cables may take of one tray
  std::vector<std::vector<TrayLoad>> rows;   ///< by row: from each place to the next
  std::vector<std::vector<TrayLoad>> cross;  ///< by cross tray: from each row to the next
  TrayLoad fullest_row, fullest_cross;
  std::int64_t segments = 0, overfilled = 0;

  [[nodiscard]] double fill(const TrayLoad& load) const { return load.section_mm2 / capacity_mm2; }
};

/// Section of a round cable, mm².
double section_mm2(double diameter_mm);
/// Section of a tray for cables of this much, at a share of its fill.
double tray_section_mm2(double cables_mm2, double fill);

/// By layer and cable, a cross tray in the place of that of the shortest way; negative, or a layer
/// without: none.
using OtherTrays = std::vector<std::vector<std::int32_t>>;

/// All cables between racks, those inside HB domains too; within one rack none.
Trays fill_trays(const RackPlan& plan, const Chassis& chassis, const Site& site, const Floor& floor,
                 const Places& places, const Laid& laid, const Media& media,
                 const OtherTrays& others = {});

}  // namespace planner::site
