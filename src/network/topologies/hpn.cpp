#include "planner/core/divisors.hpp"
#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/clos/pods.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

/// Aggregation switches of a plane that the segments of a single pod fill: with fewer segments than
/// a pod can have, each ToR has several uplinks to each of fewer switches.
Whole fewest_aggs(const Pods& net, Whole ports_down) {
  if (net.uplinks > net.edge_radix) return net.uplinks;  // which no ToR has
  const Whole uplinks = net.units() * (net.edges_per_unit / net.planes) * net.uplinks;
  for (const std::int64_t aggs : divisors(net.uplinks.value())) {
    if (uplinks <= Whole{aggs} * ports_down) return aggs;
  }
  return net.uplinks;
}

// HPN paper (SIGCOMM'24). §5: a segment has a dual-ToR set per rail, 128 GPUs and 8 backup ports on
// each ToR. §6, Table 4: tier 2 has a plane for each ToR of a set, or, rail-only, for each ToR of a
// segment; segments = (aggregation ports - core ports) / (ToRs of one segment in one plane), that
// is 120/8 = 15, rail-only 120/1, in one plane for both ToRs (Fig. 12a) 120/16 = 7; an aggregation
// switch per uplink of a ToR in a full pod. §7: so on in the core.
CountResult count_parts(const FabricDesign& design, const Hpn& options) {
  if (auto problem = check({{"radix", design.radix, 2}})) return *problem;
  const Whole tors = Whole{options.rails} * options.tors_per_rail;
  const std::int64_t planes_of_rail = options.planes.value_or(options.tors_per_rail);
  if (options.tors_per_rail % planes_of_rail != 0) {
    return too_many_ports("planes", planes_of_rail, options.tors_per_rail,
                          "1, or one for each ToR of a rail");
  }
  const Whole planes =
      options.rail_only_tier2 ? Whole{options.rails} * planes_of_rail : Whole{planes_of_rail};
  const Whole agg_down = Whole{design.radix} - options.agg_core_ports;
  const Whole segments_per_pod = agg_down / (tors / planes);
  const Whole segment_gpus = Whole{options.tor_host_ports} * options.rails;
  const Whole most = segments_per_pod * segment_gpus * options.max_pods;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (most == Whole{0}) {
    return too_many_ports("aggregation switch", options.agg_core_ports,
                          Whole{design.radix} - tors / planes,
                          "fewer ports to the core (agg-core-ports)");
  }
  if (gpus > most) {
    return too_many_endpoints(gpus, most, "more pods, joined by the core layer (max-pods)");
  }
  Pods net{.names = {"tor", "agg", "core", "tor_agg", "agg_core"},
           .gpus = gpus,
           .most = most,
           .unit_gpus = segment_gpus,
           .units_per_pod = segments_per_pod,
           .edges_per_unit = tors,
           .ports_per_gpu = options.tors_per_rail,
           .backup_ports = options.tor_backup_ports,
           .edge_radix = design.radix,
           .host_gbps = options.host_port_gbps,
           .uplinks = options.tor_uplinks,
           .planes = planes,
           .middles = options.tor_uplinks,
           .middle_radix = design.radix,
           .middle_up = options.agg_core_ports,
           .core_radix = design.radix};
  net.core = options.core_layer || net.pods() > Whole{1};
  if (!net.core) net.middles = fewest_aggs(net, agg_down);

  Draft draft(design);
  draft.count().rails = options.rails;
  draft.count().units = net.units().value();
  draft.count().backup_endpoints = (net.units() * options.tor_backup_ports * options.rails).value();
  return count_pods(std::move(draft), design, net);
}

// HPN paper §§ 3, 5, 6: one pod.
FabricDesign published_hpn(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(15360), .radix = 128, .port_gbps = 400, .topology = Hpn{}};
}

void oversubscribe(Hpn& options, Ratio ratio, std::int64_t port_gbps) {
  const Whole down = Whole{options.tor_host_ports} * options.host_port_gbps;
  options.tor_uplinks = least_uplinks(down, 1, ratio, port_gbps);
}

FabricUnits units_of(const TreePorts& tree, const Hpn& options) {
  return {.leaf = options.tor_host_ports * options.rails,
          .pod = tree.count.max_endpoints / options.max_pods,
          .spines_of_leaf = tree.spines_of_two_tiers(tree.count.planes),
          .trees = tree.count.planes};
}

}  // namespace

const TopologyOf<Hpn>& facts_of(const Hpn&) {
  using O = Hpn;
  static const TopologyOf<O> facts{
      .design = published_hpn,
      .inputs =
          {
              {.key = "rails",
               .member = &O::rails,
               .doc = "of a host",
               .options = {"hb-domain", "rails"}},
              {.key = "tors_per_rail",
               .member = &O::tors_per_rail,
               .doc = "one for each port of a NIC"},
              {.key = "tor_host_ports", .member = &O::tor_host_ports, .doc = "to active GPUs"},
              {.key = "tor_backup_ports",
               .member = &O::tor_backup_ports,
               .doc = "to backup hosts",
               .least = 0},
              {.key = "host_port_gbps",
               .member = &O::host_port_gbps,
               .doc = "Gb/s of a NIC's port"},
              {.key = "tor_uplinks", .member = &O::tor_uplinks, .doc = "to aggregation switches"},
              {.key = "agg_core_ports",
               .member = &O::agg_core_ports,
               .doc = "kept for the core on each aggregation switch",
               .least = 0,
               .options = {"agg-core-ports"}},
              {.key = "planes",
               .member = &O::planes,
               .doc = "1: aggregation switches reach all ToRs; left out: a plane for each ToR of a "
                      "rail",
               .options = {"planes"}},
              {.key = "rail_only_tier2",
               .member = &O::rail_only_tier2,
               .doc = "each rail in planes of its own",
               .options = {"rail-only-tier2"}},
              {.key = "max_pods",
               .member = &O::max_pods,
               .doc = "beyond one, the core joins them",
               .options = {"max-pods"}},
              {.key = "core_layer",
               .member = &O::core_layer,
               .doc = "count the core for a single pod too"},
          },
      .count = count_parts,
      .units = units_of,
      .rails_apart = [](const O& options) { return options.rail_only_tier2 ? kRailEach : 1; },
      .oversubscribe = oversubscribe,
  };
  return facts;
}

}  // namespace planner::network
