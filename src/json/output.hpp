#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "planner/core/diagnostic.hpp"

namespace planner::json {

/// Writes a file through a temporary one beside it that is then renamed: the file is replaced whole
/// or left as it was. Returns what went wrong.
std::optional<Diagnostic> write_file_atomically(const std::filesystem::path& path,
                                                std::string_view text);

/// Writes a file as write_file_atomically() does.
/// @throws InputError "cannot-write"
void write_file(const std::filesystem::path& path, std::string_view text);

/// Writes to standard output. Returns what went wrong.
std::optional<Diagnostic> write_standard_output(std::string_view text);

}  // namespace planner::json
