#include "planner/perf/collectives/double_tree.hpp"

#include <algorithm>
#include <cmath>

#include "planner/perf/collectives/algorithms.hpp"

namespace planner::inline perf {

TreeLoad busiest_in_double_tree(double ranks) {
  if (ranks <= 1) return {};
  return {.sent = algorithms::kBusiestSends(ranks), .added = std::min(1.0, (ranks - 1) / 2)};
}

std::int64_t tree_depth(double ranks) {
  return ranks <= 1 ? 0 : static_cast<std::int64_t>(std::ceil(std::log2(ranks)));
}

}  // namespace planner::perf
