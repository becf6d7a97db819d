#pragma once

#include <optional>

#include "planner/search/search.hpp"

namespace planner::job {

/// The least ranking value of a workload, free to use fewer GPUs of each HB domain as one as
/// search_domains() is, where it is below one that is known: that of the same job on another
/// network, say. Nothing: it is not, which is quickly seen.
/// @param options  of a search by time that neither counts nor has a front
/// @throws Interrupted where the user has ended it
std::optional<Seconds> value_below(Seconds known, const Workload& workload,
                                   const SearchSpace& space, SearchOptions options);

}  // namespace planner::job
