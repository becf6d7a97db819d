#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

// Packed: T = 1 if N ≤ k, 2 if N ≤ k²/2, 3 if N ≤ k³/4 (Al-Fares et al. 2008); rail-only paper
// (arXiv 2307.12169), Table 2, "SOTA". Pod-aligned: Fire-Flyer paper (arXiv 2408.14158), Table III.
CountResult count_parts(const FabricDesign& design, const FatTree& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
  const LeafSplit split = *split_leaf(design.radix, options.oversubscription);

  const Whole most = tree_capacity(design.radix, split, options.max_tiers);
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most) {
    return too_many_endpoints(gpus, most, "switches of a higher radix, or more planes");
  }
  Draft draft(design);
  add_grove(draft, design,
            {.tree = options.pod_aligned
                         ? aligned_tree(gpus, design.radix, split, options.oversubscription)
                         : packed_tree(gpus, design.radix, split),
             .trees = 1,
             .gpus = gpus,
             .most = most,
             .unused_ports = 0,
             .ports_per_gpu = 1});
  return draft.finish();
}

// Rail-only paper (arXiv 2307.12169), Table 2, first row.
FabricDesign published_fat_tree(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(32768), .radix = 64, .port_gbps = 400, .topology = FatTree{}};
}

FabricUnits units_of(const TreePorts& tree, const FatTree&) {
  return {.leaf = tree.leaf,
          .pod = tree.leaf * tree.spine,
          .spines_of_leaf = tree.spines_of_two_tiers(1),
          .dealt = true};
}

}  // namespace

const TopologyOf<FatTree>& facts_of(const FatTree&) {
  using O = FatTree;
  static const TopologyOf<O> facts{
      .design = published_fat_tree,
      .inputs = tree_inputs<O>(),
      .count = count_parts,
      .units = units_of,
  };
  return facts;
}

}  // namespace planner::network
