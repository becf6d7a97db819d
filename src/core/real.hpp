#pragma once

#include <cstdint>

namespace planner {

/// A count in a formula. Exact up to 2^53, far above any count that is accepted.
constexpr double real(std::int64_t count) {
  return static_cast<double>(count);
}

}  // namespace planner
