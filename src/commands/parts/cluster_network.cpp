#include "planner/commands/parts/cluster_network.hpp"

#include "planner/catalog/documents.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/job/fabric.hpp"
#include "planner/network/count.hpp"

namespace planner::commands {

namespace {

FabricCount counted(const FabricDesign& design, const catalog::CatalogFile& file) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    Diagnostic error = catalog::located(file, "fabric", job::fabric_error(*problem));
    error.message = "\"fabric\": " + error.message;
    if (problem->bad_value()) throw InputError(std::move(error));
    throw InfeasibleError(std::move(error));
  }
  return std::get<FabricCount>(result);
}

}  // namespace

ClusterNetwork cluster_network(const std::string& ref, const catalog::Catalog& catalog,
                               const std::function<void(Cluster&)>& change) {
  ClusterNetwork found{.file = catalog.read(catalog::kinds::cluster, ref)};
  const catalog::CatalogFile& file = found.file;
  found.cluster = catalog::parse_cluster(file.text, file.source_name);
  if (change) change(found.cluster);
  const Cluster& cluster = found.cluster;
  found.system = named_at(file, "system", [&] { return catalog.load_system(cluster.system); });
  if (const auto node = cluster.node ? cluster.node : found.system.node) {
    found.node =
        named_at(file, cluster.node ? "node" : "system", [&] { return catalog.load_node(*node); });
  }
  found.design = cluster.fabric;
  found.design.gpus = endpoints_of(cluster, found.node);
  found.count = counted(found.design, file);
  return found;
}

job::JobOnNetwork job_on(const ClusterNetwork& at, std::int64_t job_gpus, BytesPerSecond nominal) {
  return {.name = at.cluster.name,
          .design = at.design,
          .count = at.count,
          .cluster_gpus = at.cluster.gpus,
          .node_gpus = at.node ? at.node->accelerators : at.system.hb_domain,
          .job_gpus = job_gpus,
          .nominal = nominal};
}

job::RoutingResult route_in_cluster(const ClusterNetwork& at, const RoutingSettings& asked,
                                    bool flags, std::int64_t job_gpus, BytesPerSecond nominal) {
  const job::JobOnNetwork on = job_on(at, job_gpus, nominal);
  return about(at.file, "routing", flags, at.cluster.name,
               [&] { return job::route_job(asked, on); });
}

}  // namespace planner::commands
