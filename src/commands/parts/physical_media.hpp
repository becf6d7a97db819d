#pragma once

#include "planner/commands/parts/fabric_models.hpp"
#include "planner/commands/parts/physical_build.hpp"

// The media that a building's networks may use.
namespace planner::commands {

/// Those of the site for all networks, or the usual ones of each, the nearest reach first.
void add_media(const catalog::Catalog& catalog, Physical& chosen);

/// What modules and cables of each medium draw on a network's links, as the bill has them.
void add_power_by_medium(const FabricModels& models, const Physical& physical,
                         site::NetworkHardware& network);

}  // namespace planner::commands
