#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace planner::json {

/// Larger files are refused unread: ours are a few kilobytes.
inline constexpr std::size_t kLargestText = std::size_t{64} << 20;

/// The whole content of a file; `-` is standard input.
/// @param if_missing  the hint where there is no such file
/// @throws InputError "no-such-file", "is-a-directory", "unreadable" or "too-large"
std::string read_text_file(const std::string& path, const std::string& if_missing = {});

/// How messages call the file `path`: "<stdin>" for `-`.
std::string source_name(std::string_view path);

}  // namespace planner::json
