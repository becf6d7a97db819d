#pragma once

#include <optional>
#include <string>

#include "planner/commands/command.hpp"

// Who asked: a line of the answer. Whoever answers a call reads it, for all commands alike.
namespace planner::commands {

/// --asked-by of a call.
/// @throws UsageError  empty, or longer than a line
std::optional<std::string> asked_by(const Call& call);

}  // namespace planner::commands
