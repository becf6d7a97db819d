#pragma once

#include "planner/domain/brief.hpp"
#include "planner/json/field_table.hpp"

namespace planner::catalog {

/// The catalog parts that a network is bought as.
const json::FieldTable<FabricParts>& fabric_parts_table();

/// A network of a cluster file, its endpoints left out, with its parts under "parts".
json::Codec<NetworkChoice> network_choice();

}  // namespace planner::catalog
