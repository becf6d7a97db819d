#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {

// Packed: T = 1 if N ≤ k, 2 if N ≤ k²/2, 3 if N ≤ k³/4 (Al-Fares et al. 2008); rail-only paper
// (arXiv 2307.12169), Table 2, "SOTA". Pod-aligned: Fire-Flyer paper (arXiv 2408.14158), Table III.
CountResult count_topology(const FabricDesign& design, const FatTree& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
  if (auto problem = check({{"max-tiers", options.max_tiers}})) return *problem;
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

}  // namespace planner
