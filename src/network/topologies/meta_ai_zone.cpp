#include <algorithm>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/clos/pods.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

// Meta RoCE paper (SIGCOMM'24), §3.2: an RTSW per rack, CTSW above them in a zone, ATSW between
// zones. 16 GPUs per rack, 192 racks and 7:1 between zones: Llama 3 paper (arXiv 2407.21783) §3.3.
// The papers give no number of CTSW and ATSW: ours are the fewest that spread every uplink evenly.
CountResult count_parts(const FabricDesign& design, const MetaAiZone& options) {
  const Whole rack_gpus = options.gpus_per_rack;
  const Whole racks = options.racks_per_zone;
  const Whole most = rack_gpus * racks * options.max_zones;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most) return too_many_endpoints(gpus, most, "more zones (max-zones)");

  // §6.2: 8:9 gives 18 uplinks for 16 GPUs, so that two may fail.
  const Ratio rack_ratio = options.rtsw_oversubscription;
  const Whole uplinks = ceil_div(rack_gpus * rack_ratio.up, rack_ratio.down);
  if (rack_gpus + uplinks > Whole{design.radix}) {
    return too_many_ports("rtsw", rack_gpus + uplinks, design.radix,
                          "the same switch has twice the ports at half the speed");
  }
  // A CTSW keeps D of D+U ports for its own zone once there are several.
  const Ratio zone_ratio = options.zone_oversubscription;
  const bool joined = gpus > rack_gpus * racks;
  const Whole for_racks = joined ? Whole{options.ctsw_ports} * zone_ratio.down /
                                       (Whole{zone_ratio.down} + zone_ratio.up)
                                 : Whole{options.ctsw_ports};
  const auto ctsw = for_racks == Whole{0}
                        ? std::nullopt
                        : smallest_divisor(uplinks, ceil_div(racks * uplinks, for_racks));
  if (!ctsw) {
    return too_many_ports("ctsw", racks, for_racks, "every rack needs a port on every CTSW");
  }
  const Whole ctsw_down = racks * uplinks / *ctsw;
  const Pods net{.names = {"rtsw", "ctsw", "atsw", "rtsw_ctsw", "ctsw_atsw"},
                 .gpus = gpus,
                 .most = most,
                 .unit_gpus = rack_gpus,
                 .units_per_pod = racks,
                 .edges_per_unit = 1,
                 .ports_per_gpu = 1,
                 .edge_radix = design.radix,
                 .host_gbps = design.port_gbps,
                 .uplinks = uplinks,
                 .middles = *ctsw,
                 .middle_radix = options.ctsw_ports,
                 .middle_up = ceil_div(ctsw_down * zone_ratio.up, zone_ratio.down),
                 .core_radix = options.atsw_ports,
                 .core = joined};
  Draft draft(design);
  draft.count().units = net.pods().value();
  return count_pods(std::move(draft), design, net);
}

// Meta RoCE paper § 3, Llama 3 paper § 3.3.
FabricDesign published_meta_ai_zone(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(24576),
          .radix = 32,
          .port_gbps = 400,
          .topology = MetaAiZone{},
          .cabling = {.host = CableKind::copper}};
}

FabricUnits units_of(const TreePorts& tree, const MetaAiZone& options) {
  return {.leaf = options.gpus_per_rack,
          .pod = options.gpus_per_rack * options.racks_per_zone,
          .spines_of_leaf =
              tree.count.switches[1].switches / std::max<std::int64_t>(1, tree.count.units)};
}

}  // namespace

const TopologyOf<MetaAiZone>& facts_of(const MetaAiZone&) {
  using O = MetaAiZone;
  static const TopologyOf<O> facts{
      .design = published_meta_ai_zone,
      .inputs =
          {
              {.key = "gpus_per_rack", .member = &O::gpus_per_rack, .doc = "under one RTSW"},
              {.key = "racks_per_zone", .member = &O::racks_per_zone, .doc = "under the CTSWs"},
              {.key = "rtsw_oversubscription",
               .member = &O::rtsw_oversubscription,
               .doc = "of the rack switches, down : up",
               .options = {kOversubscription}},
              {.key = "ctsw_ports", .member = &O::ctsw_ports, .doc = "of a zone chassis"},
              {.key = "zone_oversubscription",
               .member = &O::zone_oversubscription,
               .doc = "between zones, down : up"},
              {.key = "atsw_ports", .member = &O::atsw_ports, .doc = "of an aggregation chassis"},
              {.key = "max_zones", .member = &O::max_zones, .doc = "joined by the ATSWs"},
          },
      .count = count_parts,
      .units = units_of,
  };
  return facts;
}

}  // namespace planner::network
