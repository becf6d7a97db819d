#pragma once

#include <optional>
#include <string>

#include "planner/domain/cluster.hpp"
#include "planner/domain/fabric.hpp"
#include "planner/domain/system.hpp"
#include "planner/io/catalog.hpp"

namespace planner {

/// A cluster file's network, counted, and what hangs on it.
struct ClusterNetwork {
  Cluster cluster;
  System system;
  std::optional<Node> node{};
  FabricDesign design;  ///< with the number of its endpoints
  FabricCount count;
};

/// @throws InputError or InfeasibleError where the network cannot be built
ClusterNetwork cluster_network(const std::string& ref, const io::Catalog& catalog);

}  // namespace planner
