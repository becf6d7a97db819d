#pragma once

#include <optional>

#include "planner/catalog/catalog.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/site.hpp"

// The PUE of a cluster: that of the building where one says it, else that of its economics.
namespace planner::commands {

/// What a cluster file names or has as its economics.
std::optional<Economics> economics_of(const Cluster& cluster, const catalog::Catalog& catalog);

/// What a building says of its PUE, by itself or by the site that it names.
std::optional<double> pue_of(const BuildSettings& build, const catalog::Catalog& catalog);

}  // namespace planner::commands
