#pragma once

#include <memory>

#include "planner/search/search.hpp"

namespace planner::job {

/// LeastTimes with messages, for all that is asked of one workload and space. Refers to both.
/// Behind a pointer: who hands them on need not know the timing models.
std::shared_ptr<LeastTimes> least_times(const Workload& workload, const SearchSpace& space);

}  // namespace planner::job
