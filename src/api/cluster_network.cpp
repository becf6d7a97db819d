#include "planner/api/cluster_network.hpp"

#include <fmt/format.h>

#include "planner/api/commands.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/network/count.hpp"

namespace planner {

namespace {

FabricCount counted(const Cluster& cluster, const FabricDesign& design) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    Diagnostic error = fabric_error(*problem);
    error.message = fmt::format("{}: fabric: {}", cluster.name, error.message);
    if (problem->bad_value()) throw InputError(std::move(error));
    throw InfeasibleError(std::move(error));
  }
  return std::get<FabricCount>(result);
}

}  // namespace

ClusterNetwork cluster_network(const std::string& ref, const io::Catalog& catalog) {
  ClusterNetwork found{.cluster = catalog.load_cluster(ref)};
  found.system = catalog.load_system(found.cluster.system);
  const auto node = found.cluster.node ? found.cluster.node : found.system.node;
  if (node) found.node = catalog.load_node(*node);
  found.design = found.cluster.fabric;
  found.design.gpus = endpoints_of(found.cluster, found.node);
  found.count = counted(found.cluster, found.design);
  return found;
}

}  // namespace planner
