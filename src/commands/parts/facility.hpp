#pragma once

#include <optional>

#include "planner/catalog/catalog.hpp"
#include "planner/domain/cluster.hpp"
#include "planner/domain/economics.hpp"
#include "planner/domain/site.hpp"

// The PUE of a cluster: what is asked for by an option, --pue before --economics; else that of the
// building where one says it, else that of its economics.
namespace planner::commands {

/// What a cluster file names or has as its economics.
std::optional<Economics> economics_of(const Cluster& cluster, const catalog::Catalog& catalog);

/// What a building says of its PUE, by itself or by the site that it names.
std::optional<double> pue_of(const BuildSettings& build, const catalog::Catalog& catalog);

/// The PUE that a building says in the place of what the economics expect. Nothing: it says none,
/// or the same, of which the economics know how sure it is.
std::optional<double> other_pue(const BuildSettings& build, const Economics& economics,
                                const catalog::Catalog& catalog);

/// Puts the PUE of economics that an option asks for in the place of the building's.
void put_pue(const Economics& asked, const catalog::Catalog& catalog, BuildSettings& build);

}  // namespace planner::commands
