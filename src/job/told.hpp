#pragma once

#include <string>
#include <vector>

#include "planner/core/quantity.hpp"

namespace planner::job {

/// What is to be told of settings: options taken for what nobody said, options that nobody knows
/// and that count as 0, and what changes nothing.
struct Told {
  std::vector<std::string> assumed{}, unknown{}, warnings{};
};

/// "36 s", "12.5 min", "1.8 h".
std::string span(Seconds time);

}  // namespace planner::job
