#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <optional>

#include "planner/domain/fabric.hpp"
#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/whole.hpp"

namespace planner::inline network {

/// Ports of a leaf: to endpoints, to spines.
struct LeafSplit {
  Whole down;
  Whole up;
};

/// The leaf with the most down ports at no more than the given oversubscription:
/// d = ⌊k·D/(D+U)⌋, u = ⌈d·U/D⌉. Nothing if one of them would be 0.
std::optional<LeafSplit> split_leaf(Whole radix, Ratio oversubscription);

/// What every tree asks of its radix, and that its oversubscription leaves ports up and down.
std::optional<FabricProblem> check_tree(const FabricDesign& design, Ratio oversubscription);

/// Switches of a tree with the same ports.
struct PortGroup {
  Whole count;
  Whole down;
  Whole up;
  Whole reserved;  ///< leaf ports to other things than GPUs
};

using PortGroups = boost::container::small_vector<PortGroup, 4>;

/// One folded Clos network.
struct Tree {
  std::int64_t tiers = 1;
  PortGroups leaf;
  PortGroups spine;
  PortGroups core;
  Whole pod_leaves;  ///< that one spine reaches
};

/// The most endpoints of a tree: k on one switch, d·k on two tiers (k²/2 at 1:1), d·k²/2 on three
/// (k³/4).
Whole tree_capacity(Whole radix, LeafSplit split, std::int64_t max_tiers);

/// Packed fat tree: leaves ⌈N/d⌉, then as many switches per tier as the uplinks fill. At 1:1
/// (2T-1)·N/k switches and (T-1)·N links between them. Source: rail-only paper, Table 2.
/// N must not exceed tree_capacity().
Tree packed_tree(Whole endpoints, Whole radix, LeafSplit split);

/// Real leaf and spine: every leaf spreads its uplinks evenly. Beyond two tiers whole pods of k/2
/// leaves: at 1:1 leaf = spine = pods·k/2. N must not exceed tree_capacity().
Tree aligned_tree(Whole endpoints, Whole radix, LeafSplit split, Ratio oversubscription);

/// Adds spines (and core switches) to a tree of `leaves` leaves that have `uplinks` each.
/// Two tiers up to k leaves: spines = the smallest divisor of u ≥ ⌈leaves·u/k⌉.
void add_spines(Tree& tree, Whole leaves, Whole uplinks, Whole radix);
/// Three tiers: pods of k/2 leaves under u spines, spine j of every pod on the same core switches:
/// core = u·c, c the smallest divisor of k/2 ≥ ⌈pods·(k/2)/k⌉. At most k pods.
void add_pods(Tree& tree, Whole leaves, Whole uplinks, Whole radix);

/// The split that takes fewest switches on two tiers. Where the ratio is not 1:1 the split with the
/// most ports down may have uplinks that spread badly (at 2:1 and k = 128, 85 down and 43 up: 43
/// spines however small the network): then one that is no more oversubscribed and spreads better.
/// `first` wherever it is as good, at 1:1, on three tiers, and for k beyond kMostSearchedRadix.
/// @param leaves_with  leaves needed with that many ports down; nothing: too few
LeafSplit fewest_switches(LeafSplit first, Ratio oversubscription, Whole radix,
                          const std::function<std::optional<Whole>(Whole)>& leaves_with);
inline constexpr std::int64_t kMostSearchedRadix = 1024;

/// Equal trees side by side: rails or planes.
struct Grove {
  Tree tree;
  Whole trees = 1;
  Whole gpus;
  Whole most;          ///< GPUs at most
  Whole unused_ports;  ///< host ports in the trees that no GPU uses, at most one per tree
  Whole ports_per_gpu = 1;
};

/// Tiers leaf, spine and core, layers host, leaf_spine and spine_core, bisection and failures.
void add_grove(Draft& draft, const FabricDesign& design, const Grove& grove);

}  // namespace planner::network
