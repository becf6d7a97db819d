#pragma once

#include "planner/search/search.hpp"

namespace planner::inline search {

/// rank_strategies() by time alone, whatever a strategy's memory risks; `known_time` is a time.
SearchResult rank_by_time(const Workload& workload, const SearchSpace& space,
                          const SearchOptions& options);

}  // namespace planner::search
