#pragma once

#include <functional>
#include <string>

#include "planner/catalog/catalog.hpp"
#include "planner/commands/parts/physical_build.hpp"
#include "planner/site/build.hpp"

// What a building that breaks no rule costs beside one that does.
namespace planner::commands {

/// What the cables and transceivers of a build cost beside those of this one, in the prices of the
/// cluster's book: "cables and modules +$211,000", or that some have no price.
/// @param at, physical, laid  outlive what is returned
std::function<std::string(const site::Build&)> pricing(const ClusterNetwork& at,
                                                       const Physical& physical,
                                                       const site::Laid& laid,
                                                       const catalog::Catalog& catalog);

}  // namespace planner::commands
