#pragma once

#include <cstdint>

// Two binary trees over the same ranks, each of which carries half of the data: a rank is inner in
// at most one of them. Source: Sanders, Speck & Träff 2009, "Two-tree algorithms for full bandwidth
// broadcast, reduction and scan" (doi 10.1016/j.parco.2009.09.001); NCCL's src/graph/trees.cc.
namespace planner::inline perf {

/// Units that the busiest rank of an all-reduce moves per unit reduced.
struct TreeLoad {
  double sent = 0;   ///< and received
  double added = 0;  ///< of those received, the ones on their way up, which are added
};

/// A rank that is a leaf in one tree and has two children in the other sends 2; of 3 ranks none
/// has two children, of 2 none is in the middle: 1.5 and 1.
/// @param ranks  infinity: as many as it takes
TreeLoad busiest_in_double_tree(double ranks);

/// Edges from the root to the deepest leaf of the deeper tree, and steps in which recursive
/// doubling reaches all ranks: ceil(log2 n).
std::int64_t tree_depth(double ranks);

}  // namespace planner::perf
