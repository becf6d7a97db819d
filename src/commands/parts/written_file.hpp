#pragma once

#include <optional>
#include <string>

namespace planner::commands {

/// Writes a file beside the answer, where one is asked for.
/// @throws InputError "cannot-write"
void write_file(const std::optional<std::string>& path, const std::string& text);

}  // namespace planner::commands
