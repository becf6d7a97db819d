#pragma once

#include <vector>

#include "planner/api/options.hpp"

namespace planner {

/// The options of `planner routing` alone.
std::vector<Option> routing_options();

}  // namespace planner
