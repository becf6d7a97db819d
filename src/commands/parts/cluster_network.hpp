#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/catalog/locate.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/system.hpp"
#include "planner/job/routing.hpp"

namespace planner::commands {

/// A cluster file's network, counted, and what hangs on it.
struct ClusterNetwork {
  catalog::CatalogFile file;
  Cluster cluster;
  System system;           ///< with as much of its network cards as the network's ports carry
  BytesPerSecond cards{};  ///< of a GPU, whatever the ports carry
  std::optional<Node> node{};
  FabricDesign design;  ///< with the number of its endpoints
  FabricCount count;
  /// Of the cluster's spare nodes, those that its file does not ask for, but ports of the network.
  std::int64_t spare_by_ports = 0;
  std::vector<CountedNetwork> beside;  ///< networks of its own beside that between the GPUs
};

/// @param change  what is asked about the cluster in place of what its file says
/// @throws InputError or InfeasibleError where the network cannot be built
ClusterNetwork cluster_network(const std::string& ref, const catalog::Catalog& catalog,
                               const std::function<void(Cluster&)>& change = {});

/// The cluster with the spares of another, which hang on its networks beside as the others do.
ClusterNetwork with_spares(ClusterNetwork at, const Cluster& spares,
                           const catalog::Catalog& catalog);
/// Counts its network with ports for its spares too, beyond those that it has in reserve: one
/// that takes over within a restart is cabled before. Returns how many ports do not fit a network
/// of its kind, which then stays as it is.
std::int64_t wire_spares(ClusterNetwork& at);

/// So many of the cluster's GPUs on its network.
job::JobOnNetwork job_on(const ClusterNetwork& at, std::int64_t job_gpus, BytesPerSecond nominal);

/// A part of the cluster's GPUs, routed as asked. What is wrong is about the file's key "routing".
/// @param flags  some of what is asked comes from options, and then they are what is wrong
job::RoutingResult route_in_cluster(const ClusterNetwork& at, const RoutingSettings& asked,
                                    bool flags, std::int64_t job_gpus, BytesPerSecond nominal);

/// Runs `make`; what it finds wrong is about the file's key unless the request has options of the
/// same kind.
template <class Make>
auto about(const catalog::CatalogFile& file, const char* key, bool flags,
           const std::string& cluster, Make&& make) {
  try {
    return make();
  } catch (const InfeasibleError& error) {
    Diagnostic found = error.diagnostics().front();
    found.message = cluster + ": " + found.message;
    throw InfeasibleError(std::move(found));
  } catch (const UsageError& error) {
    if (flags) throw;
    throw InputError(catalog::located(file, key, error.diagnostics().front()));
  }
}

}  // namespace planner::commands
