#include <algorithm>

#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

// Rails of n ≤ k endpoints need one switch each, so ⌊k/n⌋ of them share one: ⌈K/⌊k/n⌋⌉ switches.
// Source: rail-only paper (arXiv 2307.12169), Table 2 (k = 256: 128 switches for 256 rails).
void add_shared_switches(Draft& draft, const FabricDesign& design, Whole rails, Whole per_rail,
                         Whole gpus) {
  const Whole radix = design.radix;
  const Whole sharing = std::min(rails, radix / per_rail);
  const Whole switches = ceil_div(rails, sharing);
  const std::size_t host = draft.host_layer("host", design.port_gbps);
  const std::size_t leaf = draft.tier("leaf", radix);
  // Whole rails are dealt out first; the rails that one GPU fewer uses come last.
  Whole missing = rails * per_rail - gpus;
  for (DraftGroup& group : deal(switches, {{host, rails}})) {
    group.ports.front().second = group.ports.front().second * per_rail;
    const Whole on_full = group.ports.front().second;
    const Whole rails_here = on_full / per_rail;
    const Whole stripped = std::min(group.count, missing / rails_here);
    missing = missing - stripped * rails_here;
    const Whole partly = stripped < group.count && missing > Whole{0} ? 1 : 0;
    draft.add(leaf, {{group.count - stripped - partly, {{host, on_full}}},
                     {stripped, {{host, on_full - rails_here}}},
                     {partly, {{host, on_full - missing}}}});
    if (partly > Whole{0}) missing = 0;
  }
  draft.bisection(gpus * design.port_gbps / 2);
  draft.count().tiers = 1;
  draft.count().max_hops = 1;
  const Whole rails_per_switch = ceil_div(rails, switches);
  draft.failure("leaf", std::min(rails_per_switch * per_rail, gpus), 0, 0, 0);
  draft.failure("host link", 1, 0, 1, 1);
}

// Rail-only paper, §4: each of the K rails a Clos network of its own, n = N/K endpoints.
CountResult count_parts(const FabricDesign& design, const RailOnly& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
  const LeafSplit split = *split_leaf(design.radix, options.oversubscription);

  const Whole rails = options.rails;
  const Whole most = rails * tree_capacity(design.radix, split, options.max_tiers);
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most) {
    return too_many_endpoints(gpus, most, "switches of a higher radix, or larger HB domains");
  }
  const Whole per_rail = ceil_div(gpus, rails);
  Draft draft(design);
  if (per_rail <= Whole{design.radix}) {
    add_shared_switches(draft, design, std::min(rails, gpus), per_rail, gpus);
    draft.endpoints(gpus, most);
  } else {
    add_grove(draft, design,
              {.tree = options.pod_aligned
                           ? aligned_tree(per_rail, design.radix, split, options.oversubscription)
                           : packed_tree(per_rail, design.radix, split),
               .trees = rails,
               .gpus = gpus,
               .most = most,
               .unused_ports = rails * per_rail - gpus,
               .ports_per_gpu = 1});
  }
  draft.count().rails = options.rails;
  return draft.finish();
}

// Rail-only paper, Table 2, first row.
FabricDesign published_rail_only(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(32768), .radix = 64, .port_gbps = 400, .topology = RailOnly{}};
}

FabricUnits units_of(const TreePorts& tree, const RailOnly& options) {
  const std::int64_t leaf = tree.leaf * options.rails;
  return {.leaf = leaf,
          .pod = leaf * tree.spine,
          .spines_of_leaf = tree.spines_of_two_tiers(options.rails),
          .trees = options.rails,
          .dealt = true};
}

}  // namespace

const TopologyOf<RailOnly>& facts_of(const RailOnly&) {
  using O = RailOnly;
  static const TopologyOf<O> facts{
      .design = published_rail_only,
      .inputs = tree_inputs<O>({
          {.key = "rails",
           .member = &O::rails,
           .doc = "GPUs of an HB domain",
           .required = true,
           .options = {"hb-domain", "rails"}},
      }),
      .count = count_parts,
      .units = units_of,
      .rails_apart = [](const O&) { return kRailEach; },
  };
  return facts;
}

}  // namespace planner::network
