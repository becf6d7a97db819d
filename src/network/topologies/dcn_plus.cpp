#include <algorithm>

#include "planner/network/clos/arithmetic.hpp"
#include "planner/network/clos/inputs.hpp"
#include "planner/network/clos/pods.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner::inline network {
namespace {

std::optional<FabricProblem> check_rules(const FabricDesign& design, const DcnPlus& options) {
  if (auto problem = check({{"radix", design.radix, 2}})) return problem;
  if (options.ports_per_gpu > options.tors_per_segment) {
    return too_many_ports("GPU", options.ports_per_gpu, options.tors_per_segment,
                          "every port of a GPU is on a ToR of its own");
  }
  if (options.tor_uplinks % options.aggs_per_pod == 0) return std::nullopt;
  return FabricProblem{.rule = FabricRule::uneven,
                       .subject = "uplinks of a ToR",
                       .unit = {},
                       .need = options.tor_uplinks,
                       .have = options.aggs_per_pod,
                       .max_endpoints = std::nullopt,
                       .hint = "each ToR connects to all aggregation switches of its pod"};
}

/// A ToR is bought with the ports that a segment takes, slower ones broken out of faster.
Whole tor_radix(const FabricDesign& design, const DcnPlus& options) {
  const Whole hosts =
      ceil_div(Whole{options.gpus_per_segment} * options.ports_per_gpu, options.tors_per_segment);
  const Whole ports =
      ceil_div(hosts * options.host_port_gbps, design.port_gbps) + options.tor_uplinks;
  return std::min(ports, Whole{design.radix});
}

// HPN paper (SIGCOMM'24), Appendix C and Fig. 20: 128 GPUs per segment, 4 segments per pod, 32
// pods; each ToR connects to all 8 aggregation switches of its pod.
CountResult count_parts(const FabricDesign& design, const DcnPlus& options) {
  if (auto problem = check_rules(design, options)) return *problem;
  const Whole most = Whole{options.gpus_per_segment} * options.segments_per_pod * options.max_pods;
  const Whole gpus = design.gpus ? Whole{*design.gpus} : most;
  if (gpus > most) return too_many_endpoints(gpus, most, "more pods (max-pods)");
  Pods net{.names = {"tor", "agg", "core", "tor_agg", "agg_core"},
           .gpus = gpus,
           .most = most,
           .unit_gpus = options.gpus_per_segment,
           .units_per_pod = options.segments_per_pod,
           .edges_per_unit = options.tors_per_segment,
           .ports_per_gpu = options.ports_per_gpu,
           .edge_radix = tor_radix(design, options),
           .host_gbps = options.host_port_gbps,
           .uplinks = options.tor_uplinks,
           .middles = options.aggs_per_pod,
           .middle_radix = design.radix,
           .middle_up = options.agg_core_ports,
           .core_radix = design.radix};
  net.core = net.pods() > Whole{1};

  Draft draft(design);
  draft.count().units = net.units().value();
  return count_pods(std::move(draft), design, net);
}

// HPN paper, Appendix C.
FabricDesign published_dcn_plus(std::optional<std::int64_t> gpus) {
  return {.gpus = gpus.value_or(16384), .radix = 128, .port_gbps = 400, .topology = DcnPlus{}};
}

/// Each uplink to an aggregation switch of its own, as many as a pod then has: what these send up
/// shrinks with it. C4 (arXiv 2406.04594), Fig. 10b, has half of them for 2:1.
void oversubscribe(DcnPlus& options, Ratio ratio, std::int64_t port_gbps) {
  const Whole down =
      Whole{options.gpus_per_segment} * options.ports_per_gpu * options.host_port_gbps;
  options.tor_uplinks = options.aggs_per_pod =
      least_uplinks(down, options.tors_per_segment, ratio, port_gbps);
}

FabricUnits units_of(const TreePorts&, const DcnPlus& options) {
  return {.leaf = options.gpus_per_segment,
          .pod = options.gpus_per_segment * options.segments_per_pod,
          .spines_of_leaf = options.aggs_per_pod};
}

}  // namespace

const TopologyOf<DcnPlus>& facts_of(const DcnPlus&) {
  using O = DcnPlus;
  static const TopologyOf<O> facts{
      .design = published_dcn_plus,
      .inputs =
          {
              {.key = "gpus_per_segment", .member = &O::gpus_per_segment, .doc = "of 16 hosts"},
              {.key = "segments_per_pod",
               .member = &O::segments_per_pod,
               .doc = "joined by two tiers"},
              {.key = "max_pods",
               .member = &O::max_pods,
               .doc = "joined by the core",
               .options = {"max-pods"}},
              {.key = "tors_per_segment", .member = &O::tors_per_segment, .doc = "leaf switches"},
              {.key = "ports_per_gpu", .member = &O::ports_per_gpu, .doc = "on different ToRs"},
              {.key = "host_port_gbps",
               .member = &O::host_port_gbps,
               .doc = "Gb/s of a NIC's port"},
              {.key = "tor_uplinks", .member = &O::tor_uplinks, .doc = "to aggregation switches"},
              {.key = "aggs_per_pod", .member = &O::aggs_per_pod, .doc = "aggregation switches"},
              {.key = "agg_core_ports",
               .member = &O::agg_core_ports,
               .doc = "to the core",
               .options = {"agg-core-ports"}},
          },
      .count = count_parts,
      .units = units_of,
      .oversubscribe = oversubscribe,
  };
  return facts;
}

}  // namespace planner::network
