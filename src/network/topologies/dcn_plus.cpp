#include "planner/network/clos/inputs.hpp"
#include "planner/network/clos/pods.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {
namespace {

std::optional<FabricProblem> check_options(const FabricDesign& design, const DcnPlus& options) {
  if (auto problem = check({{"gpus-per-segment", options.gpus_per_segment},
                            {"segments-per-pod", options.segments_per_pod},
                            {"max-pods", options.max_pods},
                            {"tors-per-segment", options.tors_per_segment},
                            {"ports-per-gpu", options.ports_per_gpu},
                            {"host-port-gbps", options.host_port_gbps},
                            {"tor-uplinks", options.tor_uplinks},
                            {"aggs-per-pod", options.aggs_per_pod},
                            {"agg-core-ports", options.agg_core_ports, 0},
                            {"radix", design.radix, 2}})) {
    return problem;
  }
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

}  // namespace

// HPN paper (SIGCOMM'24), Appendix C and Fig. 20: 128 GPUs per segment, 4 segments per pod, 32
// pods; each ToR connects to all 8 aggregation switches of its pod.
CountResult count_topology(const FabricDesign& design, const DcnPlus& options) {
  if (auto problem = check_options(design, options)) return *problem;
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

}  // namespace planner
