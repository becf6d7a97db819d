#pragma once

#include <cstdint>
#include <string>

#include "planner/domain/system.hpp"

namespace planner::commands {

/// Refuses so many chips of one HB domain where it is a torus of which no slice has them.
/// @param given  what asks for them: "--gpus 62"
/// @throws UsageError
void check_slice(const std::string& given, const System& system, std::int64_t chips);

}  // namespace planner::commands
