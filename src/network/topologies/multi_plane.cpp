#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {

// P disjoint trees of N/P NIC ports, at most P·k²/2 GPUs on two tiers. Sources: Fire-Flyer paper
// (arXiv 2408.14158) § IX; DeepSeek-V3 hardware paper (arXiv 2505.09343), Table 3, MPFT.
CountResult count_topology(const FabricDesign& design, const MultiPlane& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
  if (auto problem = check({{"planes", options.planes},
                            {"ports-per-gpu", options.ports_per_gpu},
                            {"max-tiers", options.max_tiers}})) {
    return *problem;
  }
  if (options.ports_per_gpu > options.planes) {
    return too_many_ports("GPU", options.ports_per_gpu, options.planes,
                          "every port of a GPU is on a plane of its own");
  }
  const LeafSplit split = *split_leaf(design.radix, options.oversubscription);

  const Whole planes = options.planes;
  const Whole ports = options.ports_per_gpu;
  const Whole most = planes * tree_capacity(design.radix, split, options.max_tiers) / ports;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most || most == Whole{0}) {
    return too_many_endpoints(gpus, most, "more planes, a higher radix, or a third tier");
  }
  const Whole per_plane = ceil_div(gpus * ports, planes);
  Draft draft(design);
  add_grove(draft, design,
            {.tree = options.pod_aligned
                         ? aligned_tree(per_plane, design.radix, split, options.oversubscription)
                         : packed_tree(per_plane, design.radix, split),
             .trees = planes,
             .gpus = gpus,
             .most = most,
             .unused_ports = planes * per_plane - gpus * ports,
             .ports_per_gpu = ports});
  draft.count().planes = options.planes;
  return draft.finish();
}

}  // namespace planner
