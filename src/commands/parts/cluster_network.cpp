#include "planner/commands/parts/cluster_network.hpp"

#include <fmt/format.h>

#include "planner/catalog/documents.hpp"
#include "planner/commands/parts/fabric_models.hpp"
#include "planner/core/grouped.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/domain/run.hpp"
#include "planner/job/fabric.hpp"
#include "planner/network/count.hpp"
#include "planner/network/port_speed.hpp"

namespace planner::commands {

namespace {

/// @param path  of the network in the file
FabricCount counted(const FabricDesign& design, const catalog::CatalogFile& file,
                    const std::string& path) {
  const CountResult result = count_fabric(design);
  if (const auto* problem = std::get_if<FabricProblem>(&result)) {
    Diagnostic error = catalog::located(file, path, job::fabric_error(*problem));
    error.message = "\"" + path + "\": " + error.message;
    if (problem->bad_value()) throw InputError(std::move(error));
    throw InfeasibleError(std::move(error));
  }
  return std::get<FabricCount>(result);
}

/// @throws InputError  about a key that needs to know the servers
[[noreturn]] void refuse_without_node(const catalog::CatalogFile& file, const std::string& key,
                                      const char* hint) {
  throw InputError(catalog::located(
      file, key,
      {.code = "missing-key",
       .message = "\"" + key + "\" needs to know the servers, and no node is named",
       .hint = hint}));
}

/// @param cluster  as the file has it
void check_spare_nodes(const catalog::CatalogFile& file, const Cluster& cluster, const Node& node) {
  const std::int64_t spare = cluster.spare_nodes.value_or(0), nodes = nodes_of(cluster, node);
  if (spare <= nodes) return;
  throw InputError(catalog::located(
      file, "spare_nodes",
      {.code = "bad-value",
       .message = fmt::format("\"spare_nodes\": {} for {} nodes", grouped(spare), grouped(nodes)),
       .hint = "more spares than there are to replace are never needed"}));
}

/// The networks beside that between the GPUs, counted as that one is.
std::vector<CountedNetwork> networks_beside(const ClusterNetwork& at,
                                            const catalog::Catalog& catalog) {
  std::vector<CountedNetwork> all;
  const Cluster& cluster = at.cluster;
  for (const NamedNetwork& named : planner::networks_beside(cluster)) {
    CountedNetwork counted_network{.name = named.name, .design = named.network->fabric};
    if (!counted_network.design.gpus) {
      if (!at.node) {
        refuse_without_node(at.file, named.key, "give its ports: \"gpus\" in its \"fabric\"");
      }
      const std::int64_t nodes = nodes_of(cluster, *at.node) + cluster.spare_nodes.value_or(0);
      counted_network.design.gpus = ports_beside(cluster, *named.network, nodes).all();
    }
    counted_network.count = counted(counted_network.design, at.file, named.key + ".fabric");
    counted_network.models =
        fabric_models(named.network->parts, at.file, catalog, named.key + ".fabric_parts");
    all.push_back(std::move(counted_network));
  }
  return all;
}

}  // namespace

ClusterNetwork cluster_network(const std::string& ref, const catalog::Catalog& catalog,
                               const std::function<void(Cluster&)>& change) {
  ClusterNetwork found{.file = catalog.read(catalog::kinds::cluster, ref)};
  const catalog::CatalogFile& file = found.file;
  found.cluster = catalog::parse_cluster(file.text, file.source_name);
  const Cluster in_file = found.cluster;
  if (change) change(found.cluster);
  const Cluster& cluster = found.cluster;
  found.system = named_at(file, "system", [&] { return catalog.load_system(cluster.system); });
  if (const auto node = cluster.node ? cluster.node : found.system.node) {
    found.node =
        named_at(file, cluster.node ? "node" : "system", [&] { return catalog.load_node(*node); });
  }
  found.design = cluster.fabric;
  found.design.gpus = endpoints_of(cluster, found.node);
  found.count = counted(found.design, file, "fabric");
  BytesPerSecond& speed = found.system.network_bandwidth;
  found.cards = speed;
  speed = slower_ports(found.design, found.count, gpus_at_endpoints(cluster, found.node), speed)
              .value_or(speed);
  if (cluster.spare_nodes.value_or(0) > 0 && !found.node) {
    refuse_without_node(file, "spare_nodes", "\"node\" names what is bought: planner list nodes");
  }
  if (found.node) check_spare_nodes(file, in_file, *found.node);
  if (!found.node) {
    found.cluster.spare_gpus = cluster.rent ? 0 : spare_gpus_of(cluster, found.count);
  } else if (!cluster.rent) {
    const std::int64_t spare = spare_nodes_of(cluster, *found.node, found.count);
    found.spare_by_ports = spare - cluster.spare_nodes.value_or(0);
    if (spare > 0) found.cluster.spare_nodes = spare;
  }
  found.beside = networks_beside(found, catalog);
  return found;
}

ClusterNetwork with_spares(ClusterNetwork at, const Cluster& spares,
                           const catalog::Catalog& catalog) {
  at.cluster.spare_nodes = spares.spare_nodes;
  at.cluster.spare_gpus = spares.spare_gpus;
  at.beside = networks_beside(at, catalog);
  return at;
}

std::int64_t wire_spares(ClusterNetwork& at) {
  const Cluster& cluster = at.cluster;
  const std::int64_t ports =
      at.node
          ? cluster.spare_nodes.value_or(0) * ports_of_node(at.count, nodes_of(cluster, *at.node))
          : ceil_div(cluster.spare_gpus * at.count.endpoints, cluster.gpus);
  const std::int64_t more = ports - at.count.backup_endpoints;
  if (more <= 0) return 0;
  FabricDesign design = at.design;
  *design.gpus += more;
  CountResult wired = count_fabric(design);
  auto* const count = std::get_if<FabricCount>(&wired);
  if (count == nullptr) return more;
  at.design = std::move(design);
  at.count = std::move(*count);
  return 0;
}

job::JobOnNetwork job_on(const ClusterNetwork& at, std::int64_t job_gpus, BytesPerSecond nominal) {
  job::JobOnNetwork on{
      .name = at.cluster.name,
      .design = at.design,
      .count = at.count,
      .cluster_gpus = at.cluster.gpus,
      .node_gpus = at.node ? job::gpus_sending_together(at.system, *at.node) : at.system.hb_domain,
      .job_gpus = job_gpus,
      .nominal = nominal};
  on.used_gpus = job::used_gpus(on, at.system, usable_hb_domain(at.system.hb_domain, on.job_gpus));
  return on;
}

job::RoutingResult route_in_cluster(const ClusterNetwork& at, const RoutingSettings& asked,
                                    bool flags, std::int64_t job_gpus, BytesPerSecond nominal) {
  const job::JobOnNetwork on = job_on(at, job_gpus, nominal);
  return about(at.file, "routing", flags, at.cluster.name,
               [&] { return job::route_job(asked, on); });
}

}  // namespace planner::commands
