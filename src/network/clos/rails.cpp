#include "planner/network/clos/rails.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/clos.hpp"

namespace planner::inline network {
namespace {

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
  if (const auto own = rail_spines(net.units, net.rails, net.uplinks, radix)) {
    const Whole spines = net.rails * own->of_rail;
    tree.tiers = 3;
    tree.pod_leaves = net.units;
    tree.spine = {{spines, own->ports, own->ports, 0}};
    tree.core = {{own->cores, spines * own->ports / own->cores, 0, 0}};
  } else {
    add_spines(tree, net.units * net.rails, net.uplinks, radix);
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

std::optional<RailSpines> rail_spines(Whole units, Whole rails, Whole uplinks, Whole radix) {
  const Whole half = radix / 2;
  const bool whole_pods = half % rails == Whole{0} || rails % half == Whole{0};
  if (units * rails <= radix || whole_pods || units > half || rails > radix) return std::nullopt;
  const auto spines = smallest_divisor(uplinks, ceil_div(units * uplinks, half));
  if (!spines) return std::nullopt;
  const Whole ports = units * uplinks / *spines;
  const auto core =
      fewest_parallel_groups(*spines, ports, ceil_div(rails * *spines * ports, radix));
  if (!core) return std::nullopt;
  return RailSpines{.of_rail = *spines, .ports = ports, .cores = core->switches()};
}

Whole most_units(Whole radix, Whole rails) {
  return radix * (radix / 2) / rails;
}

Whole least_radix(Whole rails) {
  auto half = static_cast<std::int64_t>(std::sqrt(real(rails.value()) / 2));
  while (2 * Whole{half} * half < rails) ++half;
  return 2 * half;
}

}  // namespace planner::network
