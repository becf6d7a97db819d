#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/domain/system.hpp"

namespace planner::commands {

/// Refuses so many chips of one HB domain where it is a torus of which no slice has them.
/// @param given  what asks for them: "--gpus 62"
/// @throws UsageError
void check_slice(const std::string& given, const System& system, std::int64_t chips);

/// More chips than a torus has, or so many that no slice has, are several slices as large as can
/// be, which the network joins: the system's HB domain becomes such a slice. What no slices make is
/// refused as above.
/// @param warnings  say that slices are smaller than the whole
/// @throws UsageError  also where only single chips make so many
void take_slices(const std::string& given, std::int64_t chips, System& system,
                 std::vector<std::string>& warnings);

}  // namespace planner::commands
