#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "planner/site/racks.hpp"

namespace planner::site {

/// Cables of one rack to others, by rack.
using Row = std::vector<std::pair<std::int32_t, double>>;
using Rows = std::vector<Row>;

/// Whether a layer has cables of its own: a backplane has none.
inline bool has_cables(const WiredLayer& layer) {
  return layer.cable != CableKind::backplane;
}

/// Whether a layer's cables are laid between racks: those of an HB domain belong to its system.
inline bool is_laid(const WiredLayer& layer) {
  return has_cables(layer) && layer.name != kDomainLayer;
}

/// Cables of a layer between racks: of each rack of its upper ends to the racks of the lower ones.
/// A layer between switches alike has each cable in both directions.
Rows flows_of(const RackPlan& plan, const WiredLayer& layer);

/// Cables between every two racks, all layers together, in both directions; none to itself.
Rows all_flows(const RackPlan& plan);

}  // namespace planner::site
