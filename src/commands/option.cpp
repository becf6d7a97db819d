#include "planner/commands/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace planner::commands {

std::string not_among(const std::vector<std::string>& choices, std::string_view text) {
  return fmt::format("must be one of {}, not \"{}\"", fmt::join(choices, ", "), text);
}

}  // namespace planner::commands
