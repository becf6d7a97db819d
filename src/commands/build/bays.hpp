#pragma once

#include <string>

#include "planner/commands/parts/physical_build.hpp"
#include "planner/site/build.hpp"

namespace planner::commands {

/// Bays of other sizes are tried where nobody says how long they are: what the best of them that
/// fills no tray too far takes, and what it costs more or less; empty: none is better, or there are
/// too many racks to try.
std::string better_bays(const site::Build& built, const Physical& physical,
                        site::BuildOptions options);

}  // namespace planner::commands
