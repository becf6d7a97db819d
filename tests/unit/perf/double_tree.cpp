#include "planner/perf/collectives/double_tree.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "support/double_tree.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

/// What the busiest rank sends and adds, counted edge by edge: half of the data on every edge.
TreeLoad counted(std::int64_t ranks) {
  std::vector<TreeLoad> loads(static_cast<std::size_t>(ranks));
  for (const Tree& tree : double_tree(ranks)) {
    for (std::size_t rank = 0; rank < tree.size(); ++rank) {
      if (tree[rank] < 0) continue;
      TreeLoad& parent = loads[static_cast<std::size_t>(tree[rank])];
      loads[rank].sent += 0.5;  // up, where it is added
      parent.added += 0.5;
      parent.sent += 0.5;  // down
    }
  }
  TreeLoad busiest;
  for (const TreeLoad& load : loads) {
    if (load.sent + load.added > busiest.sent + busiest.added) busiest = load;
  }
  return busiest;
}

}  // namespace

TEST_CASE("the busiest rank and the depth are those of a double binary tree, counted") {
  for (std::int64_t ranks = 1; ranks <= 600; ++ranks) {
    CAPTURE(ranks);
    const TreeLoad load = busiest_in_double_tree(static_cast<double>(ranks));
    CHECK(load.sent == counted(ranks).sent);
    CHECK(load.added == counted(ranks).added);
    CHECK(tree_depth(static_cast<double>(ranks)) == deepest(ranks));
  }
  CHECK(tree_depth(1e12) == 40);
}

TEST_CASE("many ranks: some rank has two children and a parent") {
  const TreeLoad load = busiest_in_double_tree(std::numeric_limits<double>::infinity());
  CHECK(load.sent == 2);
  CHECK(load.added == 1);
}
