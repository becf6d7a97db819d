#include "planner/api/plan_routing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "planner/api/commands.hpp"
#include "planner/api/job_routing.hpp"
#include "planner/core/ceil_div.hpp"
#include "planner/core/real.hpp"
#include "planner/network/count.hpp"
#include "planner/network/topologies/topologies.hpp"

namespace planner {

namespace {

/// Names the first option that has no meaning without --routing, if any was given.
void refuse_without_routing(const Request& request) {
  const job::FabricChoice& choice = request.fabric;
  const bool fabric = choice.topology || choice.radix || choice.port_gbps || !choice.inputs.empty();
  if (fabric) usage_error("the options of the network need --routing", "--routing ecmp");
  if (request.routing.how != RoutingSettings{} || request.routing.cluster_gpus) {
    usage_error("the options of routing need --routing", "--routing ecmp");
  }
}

/// The network cards of a cluster's GPUs.
struct Cards {
  std::int64_t number = 0;
  std::int64_t gbps = 0;       ///< of one
  std::int64_t node_gpus = 1;  ///< whose cards send together
  std::int64_t rails = 1;      ///< cards of a node
};

/// A system without a node has a card for each GPU.
Cards cards_of(const System& system, std::int64_t gpus, const catalog::Catalog& catalog) {
  const auto gbps = [](BytesPerSecond rate) {
    return std::max<std::int64_t>(1, std::llround(8 * rate.in(units::GBps)));
  };
  if (!system.node) {
    return {.number = gpus,
            .gbps = gbps(system.network_bandwidth),
            .node_gpus = system.hb_domain,
            .rails = system.hb_domain};
  }
  const Node node = catalog.load_node(*system.node);
  const std::int64_t nodes = ceil_div(gpus, node.accelerators);
  return {.number = nodes * node.nics,
          .gbps = gbps(node.nic_bandwidth),
          .node_gpus = node.accelerators,
          .rails = node.nics};
}

FabricCount built(const FabricDesign& design) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    Diagnostic error = job::fabric_error(*problem);
    if (problem->bad_value()) throw UsageError(std::move(error));
    throw InfeasibleError(std::move(error));
  }
  return std::get<FabricCount>(result);
}

}  // namespace

std::optional<RoutingResult> plan_routing(const Request& request, const Workload& workload,
                                          const catalog::Catalog& catalog,
                                          std::vector<std::string>& assumed,
                                          std::vector<std::string>& warnings) {
  if (!request.routing.how.scheme) {
    refuse_without_routing(request);
    return std::nullopt;
  }
  const std::int64_t gpus = request.routing.cluster_gpus.value_or(workload.gpus);
  if (gpus < workload.gpus) {
    usage_error(fmt::format("--cluster-gpus: the job alone has {}, not {}", workload.gpus, gpus));
  }
  const Cards cards = cards_of(workload.system, gpus, catalog);
  job::FabricChoice asked = request.fabric;
  asked.gpus = cards.number;
  const auto assume = [&](auto& option, auto value, const char* name) {
    if (option) return;
    option = value;
    assumed.emplace_back(name);
  };
  assume(asked.topology, Topology::rail_optimized, "topology");
  assume(asked.port_gbps, cards.gbps, "port-gbps");
  if (requires_option(default_options(*asked.topology), "rails") &&
      asked.inputs.emplace("rails", cards.rails).second) {
    assumed.emplace_back("rails");
  }
  if (!asked.radix) assumed.emplace_back("radix");
  JobOnNetwork on{.design = job::design_of(asked, warnings),
                  .cluster_gpus = gpus,
                  .node_gpus = cards.node_gpus,
                  .job_gpus = workload.gpus,
                  .nominal = workload.system.network_bandwidth};
  on.name = name_of(*asked.topology);
  on.count = built(on.design);
  RoutingResult result = route_job(request.routing.how, on);
  if (workload.timing.calibrated() && workload.timing.constants().routing) {
    const RoutingFactors measured = route_job(*workload.timing.constants().routing, on).factors;
    result.factors = relative(result.factors, measured);
    result.unlucky = relative(result.unlucky, measured);
    result.balanced = relative(result.balanced, measured);
    result.assumptions.push_back(fmt::format(
        "slowdowns in the timing are against {}, by which the runs of calibration {} "
        "were routed",
        name_of(*workload.timing.constants().routing->scheme), workload.timing.constants().name));
  }
  return result;
}

}  // namespace planner
