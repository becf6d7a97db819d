#pragma once

#include "planner/search/search.hpp"

namespace planner {

/// The best strategies that search() finds, and its front, for those who need nothing else: what
/// provably cannot be among them is not even counted. `strategies`, `feasible` and `closest_miss`
/// stay empty.
SearchResult search_best(const Workload& workload, const SearchSpace& space,
                         const SearchOptions& options);

}  // namespace planner
