#include "planner/network/clos/clos.hpp"

#include <algorithm>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/inputs.hpp"

namespace planner::inline network {
namespace {

Whole links_up(const PortGroups& groups) {
  Whole sum = 0;
  for (const PortGroup& group : groups) sum += group.count * group.up;
  return sum;
}

/// Bandwidth, in ports, that gets through a tier: of a switch, the scarcer of down and up.
Whole passing(const PortGroups& groups) {
  Whole sum = 0;
  for (const PortGroup& group : groups) sum += group.count * std::min(group.down, group.up);
  return sum;
}

/// `links` dealt out evenly to `switches` of the top tier.
PortGroups spread(Whole links, Whole switches) {
  PortGroups groups;
  for (const DraftGroup& group : deal(switches, {{.layer = 0, .total = links}})) {
    groups.push_back({group.count, group.ports.front().second, 0, 0});
  }
  return groups;
}

/// Switches of the middle tier filled one after the other, as many ports up as down.
PortGroups filled_spines(Whole links, Whole ports) {
  PortGroups groups = {{links / ports, ports, ports, 0}};
  const Whole rest = links % ports;
  if (rest > Whole{0}) groups.push_back({1, rest, rest, 0});
  return groups;
}

/// Hosts on leaves filled one after the other.
PortGroups filled_leaves(Whole endpoints, Whole leaves, LeafSplit split) {
  const Whole full = endpoints / split.down;
  const Whole rest = endpoints % split.down;
  const Whole partly = rest > Whole{0} ? 1 : 0;
  PortGroups groups;
  for (const PortGroup& group :
       {PortGroup{full, split.down, split.up, 0}, PortGroup{partly, rest, split.up, 0},
        PortGroup{leaves - full - partly, 0, split.up, 0}}) {
    if (group.count > Whole{0}) groups.push_back(group);
  }
  return groups;
}

Whole largest(const PortGroups& groups, Whole PortGroup::*ports) {
  Whole most = 0;
  for (const PortGroup& group : groups) most = std::max(most, group.*ports);
  return most;
}

void add_failures(Draft& draft, const Grove& grove) {
  const Tree& tree = grove.tree;
  const Whole leaf_gpus = largest(tree.leaf, &PortGroup::down);
  const Whole leaf_up = largest(tree.leaf, &PortGroup::up);
  const Whole tree_gpus = ceil_div(grove.gpus * grove.ports_per_gpu, grove.trees);
  const Whole pod_gpus = std::min(tree_gpus, tree.pod_leaves * leaf_gpus);
  const bool single = grove.ports_per_gpu == Whole{1};
  const Whole tree_uplinks = links_up(tree.leaf);
  const Whole ports = grove.ports_per_gpu;
  draft.failure("leaf", single ? leaf_gpus : Whole{0}, single ? Whole{0} : leaf_gpus,
                single ? leaf_up : Whole{1}, single ? tree_uplinks * grove.trees : ports);
  draft.failure("host link", single ? 1 : 0, single ? 0 : 1, 1, ports);
  if (tree.tiers >= 2) {
    const Whole shared = std::min(tree_uplinks, tree.pod_leaves * leaf_up) * ports;
    draft.failure("spine", 0, pod_gpus, largest(tree.spine, &PortGroup::down), shared);
    draft.failure("leaf_spine link", 0, leaf_gpus, 1, leaf_up * ports);
  }
  if (tree.tiers >= 3) {
    const Whole tree_up = links_up(tree.spine);
    draft.failure("core", 0, tree_gpus, largest(tree.core, &PortGroup::down), tree_up * ports);
    draft.failure("spine_core link", 0, pod_gpus, 1,
                  std::min(tree_up, tree.pod_leaves * leaf_up) * ports);
  }
}

}  // namespace

std::optional<LeafSplit> split_leaf(Whole radix, Ratio oversubscription) {
  const Whole down_share = oversubscription.down;
  const Whole up_share = oversubscription.up;
  const Whole down = radix * down_share / (down_share + up_share);
  const Whole up = ceil_div(down * up_share, down_share);
  if (down == Whole{0} || up == Whole{0}) return std::nullopt;
  return LeafSplit{down, up};
}

std::optional<FabricProblem> check_tree(const FabricDesign& design, Ratio oversubscription) {
  if (auto problem = check_tree_radix(design)) return problem;
  if (split_leaf(design.radix, oversubscription)) return std::nullopt;
  return too_many_ports("leaf", Whole{design.radix} + 1, design.radix,
                        "the oversubscription leaves no port up or none down");
}

Whole tree_capacity(Whole radix, LeafSplit split, std::int64_t max_tiers) {
  if (max_tiers <= 1) return radix;
  const Whole two_tiers = split.down * radix;
  return max_tiers == 2 ? std::max(radix, two_tiers) : two_tiers * (radix / 2);
}

Tree packed_tree(Whole endpoints, Whole radix, LeafSplit split) {
  Tree tree;
  if (endpoints <= radix) {
    tree.leaf = {{1, endpoints, 0, 0}};
    tree.pod_leaves = 1;
    return tree;
  }
  const Whole leaves = ceil_div(endpoints, split.down);
  tree.leaf = filled_leaves(endpoints, leaves, split);
  if (endpoints % split.down > Whole{0}) {  // a leaf with fewer hosts needs fewer uplinks
    tree.leaf.back().up = ceil_div(tree.leaf.back().down * split.up, split.down);
  }
  const Whole uplinks = links_up(tree.leaf);
  if (leaves <= radix) {
    tree.tiers = 2;
    tree.spine = spread(uplinks, ceil_div(uplinks, radix));
    tree.pod_leaves = leaves;
    return tree;
  }
  tree.tiers = 3;
  tree.spine = filled_spines(uplinks, radix / 2);
  tree.core = spread(uplinks, ceil_div(uplinks, radix));
  tree.pod_leaves = radix / 2;
  return tree;
}

Tree aligned_tree(Whole endpoints, Whole radix, LeafSplit split, Ratio oversubscription) {
  Tree tree;
  if (endpoints <= radix) {
    tree.leaf = {{1, endpoints, 0, 0}};
    tree.pod_leaves = 1;
    return tree;
  }
  split = fewest_switches(split, oversubscription, radix,
                          [&](Whole down) { return ceil_div(endpoints, down); });
  Whole leaves = ceil_div(endpoints, split.down);
  if (leaves > radix) leaves = ceil_div(leaves, radix / 2) * (radix / 2);
  tree.leaf = filled_leaves(endpoints, leaves, split);
  add_spines(tree, leaves, split.up, radix);
  return tree;
}

LeafSplit fewest_switches(LeafSplit first, Ratio oversubscription, Whole radix,
                          const std::function<std::optional<Whole>(Whole)>& leaves_with) {
  std::optional<Whole> fewest;
  // Nothing where they are not fewer.
  const auto switches = [&](LeafSplit split) -> std::optional<Whole> {
    const auto leaves = leaves_with(split.down);
    if (!leaves || *leaves > radix) return std::nullopt;
    const Whole least = ceil_div(*leaves * split.up, radix);
    if (fewest && *leaves + least >= *fewest) return std::nullopt;
    const auto spines = smallest_divisor(split.up, least);
    return spines ? std::optional(*leaves + *spines) : std::nullopt;
  };
  fewest = switches(first);
  if (!fewest || oversubscription.down <= oversubscription.up ||
      radix > Whole{kMostSearchedRadix}) {
    return first;
  }
  LeafSplit best = first;
  for (Whole up = 1; up < radix; up += 1) {
    const LeafSplit split{std::min(radix - up, up * oversubscription.down / oversubscription.up),
                          up};
    if (split.down == Whole{0}) continue;
    const auto taken = switches(split);
    if (!taken || *taken >= *fewest) continue;
    fewest = taken;
    best = split;
  }
  return best;
}

void add_spines(Tree& tree, Whole leaves, Whole uplinks, Whole radix) {
  if (leaves > radix) return add_pods(tree, leaves, uplinks, radix);
  tree.pod_leaves = leaves;
  if (leaves <= Whole{1}) {
    tree.tiers = 1;
    for (PortGroup& leaf : tree.leaf) leaf.up = 0;
    return;
  }
  tree.tiers = 2;
  const Whole spines = *smallest_divisor(uplinks, ceil_div(leaves * uplinks, radix));
  tree.spine = {{spines, leaves * uplinks / spines, 0, 0}};
}

void add_pods(Tree& tree, Whole leaves, Whole uplinks, Whole radix) {
  const Whole half = radix / 2;
  const Whole pods = ceil_div(leaves, half);
  const Whole last_pod = leaves - (pods - 1) * half;
  tree.tiers = 3;
  tree.pod_leaves = half;
  tree.spine = {{(pods - 1) * uplinks, half, half, 0}, {uplinks, last_pod, half, 0}};
  const Whole per_spine = *smallest_divisor(half, ceil_div(pods * half, radix));
  tree.core = {{uplinks * per_spine, pods * half / per_spine, 0, 0}};
}

void add_grove(Draft& draft, const FabricDesign& design, const Grove& grove) {
  const Tree& tree = grove.tree;
  const std::size_t host = draft.host_layer("host", design.port_gbps);
  const std::size_t reserved = largest(tree.leaf, &PortGroup::reserved) > Whole{0}
                                   ? draft.host_layer("fabric_manager", design.port_gbps)
                                   : host;
  std::size_t leaf_spine = host;
  std::size_t spine_core = host;
  if (tree.tiers >= 2) leaf_spine = draft.switch_layer("leaf_spine", design.cabling.first);
  if (tree.tiers >= 3) spine_core = draft.switch_layer("spine_core", design.cabling.upper);

  const std::size_t leaf = draft.tier("leaf", design.radix);
  const std::size_t spine = draft.tier("spine", design.radix);
  const std::size_t core = draft.tier("core", design.radix);
  Whole unused = grove.unused_ports;
  for (auto group = tree.leaf.rbegin(); group != tree.leaf.rend(); ++group) {
    const Whole count = group->count * grove.trees;
    const Whole fewer = group->down > Whole{0} ? std::min(unused, count) : Whole{0};
    unused = unused - fewer;
    draft.add(
        leaf,
        {{.count = count - fewer,
          .ports = {{host, group->down}, {reserved, group->reserved}, {leaf_spine, group->up}}},
         {.count = fewer,
          .ports = {
              {host, group->down - 1}, {reserved, group->reserved}, {leaf_spine, group->up}}}});
  }
  for (const PortGroup& group : tree.spine) {
    draft.add(spine, {{.count = group.count * grove.trees,
                       .ports = {{leaf_spine, group.down}, {spine_core, group.up}}}});
  }
  for (const PortGroup& group : tree.core) {
    draft.add(core, {{.count = group.count * grove.trees, .ports = {{spine_core, group.down}}}});
  }

  const PortGroup& fullest = tree.leaf.front();
  draft.oversubscription(leaf, fullest.down + fullest.reserved, fullest.up);
  if (tree.tiers >= 3) {
    draft.oversubscription(spine, tree.spine.front().down, tree.spine.front().up);
  }
  Whole narrowest = grove.gpus * grove.ports_per_gpu;
  if (tree.tiers >= 2) narrowest = std::min(narrowest, passing(tree.leaf) * grove.trees);
  if (tree.tiers >= 3) narrowest = std::min(narrowest, passing(tree.spine) * grove.trees);
  draft.bisection(narrowest * design.port_gbps / 2);
  draft.endpoints(grove.gpus, grove.most);
  draft.count().tiers = tree.tiers;
  draft.count().max_hops = 2 * tree.tiers - 1;
  add_failures(draft, grove);
}

}  // namespace planner::network
