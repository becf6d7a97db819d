#include "planner/network/clos/clos.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/clos/rails.hpp"
#include "planner/network/topologies/rail_units.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

Whole least_uplinks(const SuperPod& options) {
  const Ratio ratio = options.oversubscription;
  return ceil_div(Whole{options.nodes_per_unit} * ratio.up, ratio.down);
}

std::optional<FabricProblem> check_rules(const FabricDesign& design, const SuperPod& options) {
  if (auto problem = check_tree(design, options.oversubscription)) return problem;
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

CountResult count_parts(const FabricDesign& design, const SuperPod& options) {
  if (auto problem = check_rules(design, options)) return *problem;
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

// DGX B200 SuperPOD reference architecture: 4 units, 127 nodes.
FabricDesign published_superpod(std::optional<std::int64_t> gpus) {
  return {
      .gpus = gpus,
      .radix = 64,
      .port_gbps = 400,
      .topology = SuperPod{.scalable_units = gpus ? std::nullopt : std::optional<std::int64_t>(4),
                           .fabric_manager_ports = 4}};
}

FabricUnits units_of(const TreePorts& tree, const SuperPod& options) {
  return units_of_rails(tree, options.gpus_per_node, options.planes);
}

}  // namespace

const TopologyOf<SuperPod>& facts_of(const SuperPod&) {
  using O = SuperPod;
  static const TopologyOf<O> facts{
      .design = published_superpod,
      .inputs =
          {
              {.key = "scalable_units",
               .member = &O::scalable_units,
               .doc = "bought; left out: as many as the GPUs need",
               .options = {"scalable-units"}},
              {.key = "nodes_per_unit", .member = &O::nodes_per_unit, .doc = "of a scalable unit"},
              {.key = "gpus_per_node", .member = &O::gpus_per_node, .doc = "which is its rails"},
              {.key = "planes",
               .member = &O::planes,
               .doc = "2: DGX B300 on Spectrum-X",
               .options = {"planes"}},
              {.key = "fabric_manager_ports",
               .member = &O::fabric_manager_ports,
               .doc = "leaf ports that it takes from whole nodes",
               .least = 0,
               .options = {"fabric-manager-ports"}},
              oversubscription_input<O>(),
          },
      .count = count_parts,
      .units = units_of,
  };
  return facts;
}

}  // namespace planner::network
