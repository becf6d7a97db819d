#pragma once

#include <cstdint>

#include "planner/domain/system.hpp"
#include "planner/json/field_table.hpp"

namespace planner::catalog {

/// Key "torus" of a system and of a measured run.
const json::FieldTable<DomainTorus>& torus_table();

/// Whether its dimensions multiply to so many chips.
bool has_chips(const DomainTorus& torus, std::int64_t chips);

}  // namespace planner::catalog
