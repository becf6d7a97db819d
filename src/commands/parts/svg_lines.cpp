#include "planner/commands/parts/svg_lines.hpp"

#include <sstream>

#include "planner/present/text.hpp"

namespace planner::commands {

std::vector<std::string> svg_lines(std::string_view words, double width, double letter) {
  std::istringstream all(wrapped(words, static_cast<std::size_t>(width / letter), 0));
  std::vector<std::string> lines;
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

}  // namespace planner::commands
