#pragma once

#include <string>
#include <vector>

#include "planner/core/quantity.hpp"

namespace planner::job {

/// What is to be told of settings: options taken for what nobody said, and what is not known or
/// changes nothing.
struct Told {
  std::vector<std::string> assumed{}, warnings{};
  bool stall_unknown = false;  ///< of checkpoints that are taken
};

/// "36 s", "12.5 min", "1.8 h".
std::string span(Seconds time);

}  // namespace planner::job
