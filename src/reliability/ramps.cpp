#include "planner/reliability/ramps.hpp"

#include <algorithm>
#include <cmath>

namespace planner::inline reliability {

namespace {

/// A power of two, so that a little more variation seldom moves cells.
double cells_per_unit(double range) {
  constexpr double kLeastPerUnit = 128, kLeastCells = 1024, kMostPerUnit = 1 << 30;
  double found = kLeastPerUnit;
  while (found * range < kLeastCells && found < kMostPerUnit) found *= 2;
  return found;
}

}  // namespace

Ramps::Ramps(double low, double high)
    : per_unit_(cells_per_unit(high - low)),
      start_(std::floor(low * per_unit_) - 2),
      turns_(static_cast<std::size_t>(std::ceil(high * per_unit_) - start_) + 4) {}

LogTable Ramps::table() const {
  LogTable table{.start = start_ / per_unit_, .cell = 1 / per_unit_, .below = turns_};
  double slope = 0, share = 0;
  for (double& below : table.below) below = share += slope += below;
  for (double& below : table.below) below = std::clamp(below / share, 0.0, 1.0);
  return table;
}

}  // namespace planner::reliability
