#include <algorithm>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {
namespace {

/// A rail-optimized network in the terms of its scalable units.
struct Rails {
  Whole gpus;
  Whole units;           ///< scalable units
  Whole nodes_per_unit;  ///< ports down of a leaf
  Whole rails;
  Whole planes;
  Whole uplinks;   ///< of a leaf
  Whole reserved;  ///< leaf ports of the fabric manager per plane
  Whole most;
};

/// Three tiers where the leaves of a unit do not fill pods of k/2 leaves evenly: each rail has its
/// own spines, as many ports up as down, and every core switch reaches every rail. (r = 8, k = 40:
/// 7 units of 20 nodes take 56 leaves, 80 spines, 28 cores.)
/// @return false where this cannot be wired
bool add_rail_spines(Tree& tree, const Rails& net, Whole radix) {
  const Whole half = radix / 2;
  if (net.units > half || net.rails > radix) return false;
  const auto spines = smallest_divisor(net.uplinks, ceil_div(net.units * net.uplinks, half));
  if (!spines) return false;
  const Whole ports = net.units * net.uplinks / *spines;
  const auto core =
      fewest_parallel_groups(*spines, ports, ceil_div(net.rails * *spines * ports, radix));
  if (!core) return false;
  tree.tiers = 3;
  tree.pod_leaves = net.units;
  tree.spine = {{net.rails * *spines, ports, ports, 0}};
  tree.core = {{core->switches(), net.rails * *spines * ports / core->switches(), 0, 0}};
  return true;
}

/// Leaves of one plane: full units, one partly filled, empty ones. The fabric manager is in the
/// last.
std::vector<PortGroup> leaves_of(const Rails& net) {
  const Whole unit_gpus = net.nodes_per_unit * net.rails;
  const Whole full = net.gpus / unit_gpus;
  const Whole rest = net.gpus % unit_gpus;
  const Whole partly = rest > Whole{0} ? 1 : 0;
  const Whole empty = net.units - full - partly;
  std::vector<PortGroup> groups;
  const auto add_unit = [&](Whole units, Whole gpus, Whole reserved) {
    if (units == Whole{0}) return;
    for (const DraftGroup& group : deal(net.rails, {{0, gpus}, {1, reserved}})) {
      groups.push_back(
          {group.count * units, group.ports[0].second, net.uplinks, group.ports[1].second});
    }
  };
  add_unit(full, unit_gpus, 0);
  add_unit(partly, rest, empty > Whole{0} ? Whole{0} : net.reserved);
  if (empty > Whole{0}) {
    add_unit(empty - 1, 0, 0);
    add_unit(1, 0, net.reserved);
  }
  return groups;
}

/// leaves = units·r·P, whole units even when the last is partly filled. Source: NVIDIA DGX SuperPOD
/// reference architectures (H100 RA-11333-001, B200, B300), compute fabric tables.
CountResult count_rails(const FabricDesign& design, const Rails& net) {
  const Whole radix = design.radix;
  Tree tree;
  tree.leaf = leaves_of(net);
  const Whole leaves = net.units * net.rails;
  const bool whole_pods =
      (radix / 2) % net.rails == Whole{0} || net.rails % (radix / 2) == Whole{0};
  if (leaves <= radix || whole_pods || !add_rail_spines(tree, net, radix)) {
    add_spines(tree, leaves, net.uplinks, radix);
  }

  Draft draft(design);
  add_grove(draft, design,
            {.tree = std::move(tree),
             .trees = net.planes,
             .gpus = net.gpus,
             .most = net.most,
             .unused_ports = 0,
             .ports_per_gpu = net.planes});
  draft.count().rails = net.rails.value();
  draft.count().planes = net.planes.value();
  draft.count().units = net.units.value();
  return draft.finish();
}

Whole least_uplinks(const SuperPod& options) {
  const Ratio ratio = options.oversubscription;
  return ceil_div(Whole{options.nodes_per_unit} * ratio.up, ratio.down);
}

std::optional<FabricProblem> check_options(const FabricDesign& design, const SuperPod& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return problem;
  if (auto problem = check({{"scalable-units", options.scalable_units.value_or(1)},
                            {"nodes-per-unit", options.nodes_per_unit},
                            {"gpus-per-node", options.gpus_per_node},
                            {"planes", options.planes},
                            {"fabric-manager-ports", options.fabric_manager_ports, 0}})) {
    return problem;
  }
  const Whole ports = least_uplinks(options) + options.nodes_per_unit;
  if (ports <= Whole{design.radix}) return std::nullopt;
  return too_many_ports("leaf", ports, design.radix,
                        "a leaf takes one port of every node of the unit, and its uplinks");
}

/// The uplinks of a leaf that spread best; its ports down are given by the unit.
Whole uplinks_of(const FabricDesign& design, const SuperPod& options, Whole leaves) {
  const Whole nodes = options.nodes_per_unit;
  const auto leaves_with = [&](Whole down) {
    return down < nodes ? std::nullopt : std::optional(leaves);
  };
  return fewest_switches({nodes, least_uplinks(options)}, options.oversubscription, design.radix,
                         leaves_with)
      .up;
}

/// At most k·k/2 leaves per plane: k pods of k/2.
Whole most_units(Whole radix, Whole rails) {
  return radix * (radix / 2) / rails;
}

}  // namespace

CountResult count_topology(const FabricDesign& design, const RailOptimized& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
  if (auto problem = check({{"rails", options.rails}, {"planes", options.planes}})) {
    return *problem;
  }
  const LeafSplit split = *split_leaf(design.radix, options.oversubscription);

  const Whole rails = options.rails;
  const Whole per_unit = split.down * rails;
  const Whole most = most_units(design.radix, rails) * per_unit;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most || most == Whole{0}) {
    return too_many_endpoints(gpus, most, "switches of a higher radix, or fewer rails");
  }
  const LeafSplit leaf =
      fewest_switches(split, options.oversubscription, design.radix,
                      [&](Whole down) { return ceil_div(gpus, down * rails) * rails; });
  const Whole units = ceil_div(gpus, leaf.down * rails);
  return count_rails(design, {.gpus = gpus,
                              .units = units,
                              .nodes_per_unit = leaf.down,
                              .rails = rails,
                              .planes = options.planes,
                              .uplinks = leaf.up,
                              .reserved = 0,
                              .most = most});
}

CountResult count_topology(const FabricDesign& design, const SuperPod& options) {
  if (auto problem = check_options(design, options)) return *problem;
  const Whole radix = design.radix;
  const Whole rails = options.gpus_per_node;
  const Whole unit_gpus = rails * options.nodes_per_unit;
  // The fabric manager takes the place of whole nodes: 4 ports, 1 node (B200 table: 31 of 32).
  const Whole removed = ceil_div(options.fabric_manager_ports, rails) * rails;
  const Whole most_fitting = most_units(radix, rails) * unit_gpus - removed;
  const auto most =
      options.scalable_units ? unit_gpus * *options.scalable_units - removed : most_fitting;
  if (most > most_fitting) {
    return too_many_endpoints(most, most_fitting, "switches of a higher radix");
  }
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most || most == Whole{0}) {
    return too_many_endpoints(gpus, most, "more scalable units, or switches of a higher radix");
  }
  const Whole units =
      options.scalable_units ? Whole{*options.scalable_units} : ceil_div(gpus + removed, unit_gpus);
  return count_rails(design, {.gpus = gpus,
                              .units = units,
                              .nodes_per_unit = options.nodes_per_unit,
                              .rails = rails,
                              .planes = options.planes,
                              .uplinks = uplinks_of(design, options, units * rails),
                              .reserved = options.fabric_manager_ports,
                              .most = most});
}

}  // namespace planner
