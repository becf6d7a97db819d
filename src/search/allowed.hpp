#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace planner::inline search {

/// Whether an axis that is held to some values, or to none, may take a value.
inline bool allowed(const std::vector<std::int64_t>& values, std::int64_t value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace planner::search
