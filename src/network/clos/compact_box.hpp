#pragma once

#include <array>
#include <cstdint>

namespace planner::inline network {

/// Cubes along x ≤ y ≤ z: the box of exactly `cubes` cubes with the least surface.
std::array<std::int64_t, 3> most_compact_box(std::int64_t cubes);

}  // namespace planner::network
