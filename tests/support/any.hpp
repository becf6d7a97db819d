// Whole numbers of a property test, the same in every run.
#pragma once

#include <cstdint>
#include <random>

namespace planner::testing {

/// From `low` to `high`, both among them.
inline std::int64_t any(std::int64_t low, std::int64_t high) {
  static std::mt19937 source(2026);
  return std::uniform_int_distribution<std::int64_t>(low, high)(source);
}

}  // namespace planner::testing
