#pragma once

#include <string_view>

#include "planner/perf/collective_time.hpp"

namespace planner {

/// As --in-switch-reduction takes it.
std::string_view where_switches_reduce(InSwitchReduction can);

}  // namespace planner
