#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/present/document.hpp"

// Options that nobody gave and whose values an answer rests on.
namespace planner::commands {

/// "Assumed: --pp --tp"; nothing where nothing is.
/// @param apart  after an empty line
void add_assumed(const std::vector<std::string>& options, present::Document& document,
                 std::string lead = "Assumed: ", bool apart = false);

/// ", assumed: --system", beside the value of an option that is among them.
std::string assumed_note(const std::vector<std::string>& options, std::string_view option);

bool is_assumed(const std::vector<std::string>& options, std::string_view option);

}  // namespace planner::commands
