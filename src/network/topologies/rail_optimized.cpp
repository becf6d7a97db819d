#include <string>

#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/clos/rails.hpp"
#include "planner/network/topologies/rail_units.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

CountResult count_parts(const FabricDesign& design, const RailOptimized& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return *problem;
  const LeafSplit split = *split_leaf(design.radix, options.oversubscription);

  const Whole rails = options.rails;
  const Whole per_unit = split.down * rails;
  const Whole most = most_units(design.radix, rails) * per_unit;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (most == Whole{0}) {
    return too_many_ports("leaf", least_radix(rails), design.radix,
                          "each of the " + std::to_string(options.rails) +
                              " rails has a leaf of its own: fewer rails (--rails), or switches of "
                              "so many ports (--radix)");
  }
  if (gpus > most) {
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

FabricDesign published_rail_optimized(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(32768), .radix = 64, .port_gbps = 400, .topology = RailOptimized{}};
}

FabricUnits units_of(const TreePorts& tree, const RailOptimized& options) {
  FabricUnits units = units_of_rails(tree, options.rails, options.planes);
  units.dealt = true;
  return units;
}

}  // namespace

const TopologyOf<RailOptimized>& facts_of(const RailOptimized&) {
  using O = RailOptimized;
  static const TopologyOf<O> facts{
      .design = published_rail_optimized,
      .inputs =
          {
              {.key = "rails",
               .member = &O::rails,
               .doc = "GPUs of an HB domain",
               .required = true,
               .options = {"hb-domain", "rails"}},
              {.key = "planes",
               .member = &O::planes,
               .doc = "ports of each GPU, a network each",
               .options = {"planes"}},
              oversubscription_input<O>(),
          },
      .count = count_parts,
      .units = units_of,
  };
  return facts;
}

}  // namespace planner::network
