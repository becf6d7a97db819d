#include "planner/core/ceil_div.hpp"
#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

// P disjoint trees of N/P NIC ports, at most P·k²/2 GPUs on two tiers. Sources: Fire-Flyer paper
// (arXiv 2408.14158) § IX; DeepSeek-V3 hardware paper (arXiv 2505.09343), Table 3, MPFT.
CountResult count_parts(const FabricDesign& design, const MultiPlane& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
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

// Fire-Flyer paper § IX.
FabricDesign published_multi_plane(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(32768), .radix = 128, .port_gbps = 400, .topology = MultiPlane{}};
}

/// GPUs with fewer ports than there are planes are dealt out over the planes.
FabricUnits units_of(const TreePorts& tree, const MultiPlane& options) {
  const std::int64_t side_by_side = tree.leaf * (options.planes / options.ports_per_gpu);
  return {.leaf = side_by_side,
          .pod = side_by_side * tree.spine,
          .spines_of_leaf = tree.spines_of_two_tiers(options.planes),
          .trees = options.planes,
          .dealt = true};
}

}  // namespace

const TopologyOf<MultiPlane>& facts_of(const MultiPlane&) {
  using O = MultiPlane;
  static const TopologyOf<O> facts{
      .design = published_multi_plane,
      .inputs = tree_inputs<O>({
          {.key = "planes",
           .member = &O::planes,
           .doc = "disjoint trees",
           .required = true,
           .options = {"planes"}},
          {.key = "ports_per_gpu",
           .member = &O::ports_per_gpu,
           .doc = "1: each GPU on one plane; as many as planes: on all"},
      }),
      .count = count_parts,
      .units = units_of,
      // A GPU reaches planes that it has no port on through GPUs of its HB domain.
      .rails_apart =
          [](const O& options) { return planner::ceil_div(options.planes, options.ports_per_gpu); },
  };
  return facts;
}

}  // namespace planner::network
