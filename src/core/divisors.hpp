#pragma once

#include <cstdint>
#include <vector>

namespace planner {

/// All divisors of n ≥ 1 in ascending order. O(√n).
std::vector<std::int64_t> divisors(std::int64_t n);

}  // namespace planner
