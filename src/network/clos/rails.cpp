#include "planner/network/clos/rails.hpp"

#include <algorithm>
#include <utility>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/clos.hpp"

namespace planner::inline network {
namespace {

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
PortGroups leaves_of(const Rails& net) {
  const Whole unit_gpus = net.nodes_per_unit * net.rails;
  const Whole full = net.gpus / unit_gpus;
  const Whole rest = net.gpus % unit_gpus;
  const Whole partly = rest > Whole{0} ? 1 : 0;
  const Whole empty = net.units - full - partly;
  PortGroups groups;
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

}  // namespace

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

Whole most_units(Whole radix, Whole rails) {
  return radix * (radix / 2) / rails;
}

}  // namespace planner::network
