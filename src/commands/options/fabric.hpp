#pragma once

#include <vector>

#include "planner/commands/option.hpp"
#include "planner/job/fabric.hpp"

namespace planner::commands {

/// What a plan's network and a network alone are asked by.
std::vector<OptionOf<job::FabricChoice>> fabric_options();
/// What a network alone is asked by besides.
std::vector<OptionOf<job::FabricChoice>> fabric_count_options();

}  // namespace planner::commands
