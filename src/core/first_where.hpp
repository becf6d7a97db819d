#pragma once

#include <cstdint>

namespace planner {

/// The first of 0 … all - 1 for which something holds that holds for all beyond it too; `all` where
/// it holds for none. By bisection.
template <class F>
constexpr std::int64_t first_where(std::int64_t all, const F& holds) {
  std::int64_t first = 0;
  for (std::int64_t end = all; first < end;) {
    const std::int64_t middle = first + (end - first) / 2;
    if (holds(middle)) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

}  // namespace planner
