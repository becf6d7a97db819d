#pragma once

#include <cstddef>

#include "planner/domain/fabric.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// The rows that a layer joins: 0 are the endpoints, then the tiers. Layers are called after what
/// they join ("leaf_spine"); those among switches or endpoints alike join a row with itself.
struct JoinedRows {
  std::size_t low = 0, high = 0;
};
JoinedRows rows_of(const FabricCount& fabric, const LinkLayer& layer);

/// A network as a picture: its tiers from the endpoints up, how many switches and links there are,
/// planes and rails, and where it is oversubscribed. Aggregated: as legible with 16 endpoints as
/// with 100,000.
present::Drawing network_drawing(const FabricCount& fabric);

}  // namespace planner::commands
