#pragma once

#include "planner/domain/fabric.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// A network as a picture: its tiers from the endpoints up, how many switches and links there are,
/// planes and rails, and where it is oversubscribed. Aggregated: as legible with 16 endpoints as
/// with 100,000.
present::Drawing network_drawing(const FabricCount& fabric);

}  // namespace planner::commands
