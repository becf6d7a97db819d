#pragma once

#include <cstddef>
#include <functional>

namespace planner::inline search {

/// `asked`, or the number of cores where that is 0.
std::size_t thread_count(std::size_t asked);

/// Calls body(i) once for every i in [0, n), on up to `threads` threads; in order on one.
void for_each_index(std::size_t n, std::size_t threads,
                    const std::function<void(std::size_t)>& body);

}  // namespace planner::search
