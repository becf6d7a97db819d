// The two binary trees of a double binary tree, rank by rank, as NCCL builds them (ncclGetBtree,
// ncclGetDtree).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace planner::testing {

/// Parent of every rank; -1 for the root.
using Tree = std::vector<std::int64_t>;

/// The lowest bit set says the level: odd ranks are leaves, rank 0 is the root.
inline Tree first_tree(std::int64_t n) {
  Tree parent(static_cast<std::size_t>(n), -1);
  for (std::int64_t rank = 1; rank < n; ++rank) {
    const std::int64_t bit = rank & -rank;
    const std::int64_t up = (rank ^ bit) | (bit << 1);
    parent[static_cast<std::size_t>(rank)] = up < n ? up : rank ^ bit;
  }
  return parent;
}

/// Mirrored for an even number of ranks, else shifted by one.
inline Tree second_tree(std::int64_t n) {
  const Tree first = first_tree(n);
  Tree parent(static_cast<std::size_t>(n), -1);
  const auto twin = [n](std::int64_t rank) { return n % 2 == 0 ? n - 1 - rank : (rank + 1) % n; };
  for (std::int64_t rank = 0; rank < n; ++rank) {
    const std::int64_t up = first[static_cast<std::size_t>(rank)];
    if (up >= 0) parent[static_cast<std::size_t>(twin(rank))] = twin(up);
  }
  return parent;
}

inline std::array<Tree, 2> double_tree(std::int64_t n) {
  return {first_tree(n), second_tree(n)};
}

/// Edges from a rank to the root.
inline std::int64_t depth_of(const Tree& tree, std::int64_t rank) {
  std::int64_t depth = 0;
  for (; tree[static_cast<std::size_t>(rank)] >= 0; ++depth) {
    rank = tree[static_cast<std::size_t>(rank)];
  }
  return depth;
}

inline std::int64_t deepest(std::int64_t n) {
  std::int64_t depth = 0;
  for (const Tree& tree : double_tree(n)) {
    for (std::int64_t rank = 0; rank < n; ++rank) depth = std::max(depth, depth_of(tree, rank));
  }
  return depth;
}

}  // namespace planner::testing
