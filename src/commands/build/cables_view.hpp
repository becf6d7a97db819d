#pragma once

#include "planner/commands/build/build.hpp"
#include "planner/present/document.hpp"

// Cables and trays in the view of a build.
namespace planner::commands {

/// "37.7 m"
present::Cell one_decimal(double value, const char* unit);

/// Cables by medium and by layer, and the bound.
void add_cables(const BuildAnswer& answer, present::Document& document);
/// The fullest trays, and what is pulled through them.
void add_trays(const BuildAnswer& answer, present::Document& document);

}  // namespace planner::commands
