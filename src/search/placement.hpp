#pragma once

#include <optional>

#include "planner/search/space.hpp"

namespace planner::inline search {

/// Of the placements that the space allows for a strategy's degrees the fastest, whether or not it
/// fits the memory; the first of equals. Nothing if there is none.
std::optional<Strategy> fastest_placement(const Workload& workload, const SearchSpace& space,
                                          const Strategy& strategy);

}  // namespace planner::search
