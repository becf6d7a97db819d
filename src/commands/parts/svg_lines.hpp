#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace planner::commands {

/// Words of a drawing in lines that are no wider.
/// @param letter  width of one, in the unit of `width`
std::vector<std::string> svg_lines(std::string_view words, double width, double letter);

}  // namespace planner::commands
