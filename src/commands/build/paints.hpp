#pragma once

#include <map>
#include <string>

#include "planner/commands/build/build.hpp"

// How racks are drawn.
namespace planner::commands {

/// Colours by the kind of rack, readable on light and dark paper, and told apart without colour by
/// the letters on them.
struct Paint {
  const char* fill;
  const char* letter;
};

/// By the kinds of racks that an answer has.
std::map<std::string, Paint> paints_of(const BuildAnswer& answer);

/// "40.8 kW"
std::string power_text(const BuildAnswer::RackLine& rack);

}  // namespace planner::commands
