#pragma once

#include "planner/catalog/catalog.hpp"
#include "planner/cost/network_parts.hpp"
#include "planner/domain/cluster.hpp"

namespace planner::commands {

/// The parts that a cluster file names for its network, looked up.
/// @param path  of the parts in the file
/// @throws InputError, located in the file
FabricModels fabric_models(const FabricParts& parts, const catalog::CatalogFile& file,
                           const catalog::Catalog& catalog,
                           const std::string& path = "fabric_parts");

}  // namespace planner::commands
