#include "planner/network/clos/compact_box.hpp"

#include "planner/core/divisors.hpp"

namespace planner::inline network {

std::array<std::int64_t, 3> most_compact_box(std::int64_t cubes) {
  std::array<std::int64_t, 3> best = {1, 1, cubes};
  double least = 1.0 + 2.0 * static_cast<double>(cubes);
  for (const std::int64_t x : divisors(cubes)) {
    if (x > cubes / x / x) break;
    for (const std::int64_t y : divisors(cubes / x)) {
      const std::int64_t z = cubes / x / y;
      if (y < x) continue;
      if (y > z) break;
      const double dx = static_cast<double>(x);
      const double surface =
          dx * static_cast<double>(y) + static_cast<double>(z) * (dx + static_cast<double>(y));
      if (surface < least) {
        least = surface;
        best = {x, y, z};
      }
    }
  }
  return best;
}

}  // namespace planner::network
