#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "planner/commands/command.hpp"

// Who asked: a line of the answer. Whoever answers a call reads it, for all commands alike.
namespace planner::commands {

inline constexpr const char* kAskedBy = "asked-by";

/// Why a text is no line that says who asked: blank, of control characters, longer than a line;
/// nothing where it is one.
std::optional<std::string> asked_by_problem(std::string_view text);

/// --asked-by of a call.
/// @throws UsageError  no line that says who asked
std::optional<std::string> asked_by(const Call& call);

}  // namespace planner::commands
