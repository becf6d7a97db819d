#include <algorithm>

#include "planner/network/clos/compact_box.hpp"
#include "planner/network/clos/draft.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

// TPU v4 (Jouppi et al., ISCA'23), §2: cubes of c³ chips with copper inside; each of the 6·c² links
// on the faces goes by fibre to an optical circuit switch. Each switch serves one position on the
// faces of one axis, two ports per cube: 3·c² switches. A circuit switch has no transceivers.
CountResult count_parts(const FabricDesign& design, const Torus& options) {
  const Whole edge = options.cube_edge;
  const Whole chips = edge * edge * edge;
  const Whole face = edge * edge;
  const Whole most_cubes =
      options.ocs ? (Whole{design.radix} - options.ocs_spare_ports) / 2 : Whole{kLargestInput};
  const Whole most = most_cubes * chips;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (!options.ocs && !design.gpus) return *check({{"gpus", 0}});
  if (gpus > most || most == Whole{0}) {
    return too_many_endpoints(gpus, most, "circuit switches with more ports");
  }
  const Whole cubes = ceil_div(gpus, chips);
  if (cubes > most_cubes) return too_many_endpoints(gpus, most, "larger cubes");
  const auto box = most_compact_box(cubes.value());

  Draft draft(design);
  const Whole inside = cubes * 3 * face * (edge - 1);
  const auto within = draft.layer({.name = "within_cube",
                                   .links = 0,
                                   .gbps = design.port_gbps,
                                   .cable = CableKind::copper,
                                   .host = false,
                                   .optical_ends = 0});
  draft.direct_links(within, inside);
  if (options.ocs) {
    const auto optical = draft.layer({.name = "chip_ocs",
                                      .links = 0,
                                      .gbps = design.port_gbps,
                                      .cable = design.cabling.host,
                                      .host = true,
                                      .optical_ends = 1});
    draft.add(draft.tier("ocs", design.radix), {{face * 3, {{optical, cubes * 2}}}});
    draft.failure("ocs", 0, std::min(gpus, cubes * edge * 2), 1, face);
  } else {
    const auto faces = draft.switch_layer("between_cubes", design.cabling.first);
    draft.direct_links(faces, cubes * face * 3);
  }
  draft.failure("link", 0, std::min(gpus, Whole{2}), 1, 6);

  // Across the longest axis the torus is cut twice.
  const Whole length = Whole{box[2]} * edge;
  draft.bisection(cubes * chips / length * 2 * design.port_gbps);
  draft.endpoints(gpus, most);
  FabricCount& count = draft.count();
  count.tiers = 1;
  count.units = cubes.value();
  count.max_hops = 0;
  for (const std::int64_t side : box) count.max_hops += side * options.cube_edge / 2;
  return draft.finish();
}

// TPU v4 paper: 64 cubes on 48 switches of 136 ports.
FabricDesign published_torus(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(4096), .radix = 136, .port_gbps = 400, .topology = Torus{}};
}

}  // namespace

const TopologyOf<Torus>& facts_of(const Torus&) {
  using O = Torus;
  static const TopologyOf<O> facts{
      .design = published_torus,
      .inputs =
          {
              {.key = "cube_edge", .member = &O::cube_edge, .doc = "chips"},
              {.key = "ocs_spare_ports",
               .member = &O::ocs_spare_ports,
               .doc = "kept for tests and repairs",
               .least = 0},
              {.key = "ocs", .member = &O::ocs, .doc = "false: cubes are cabled to each other"},
          },
      .count = count_parts,
  };
  return facts;
}

}  // namespace planner::network
