#include "planner/search/for_each_index.hpp"

#include <algorithm>
#include <thread>

#include "planner/search/parallel.hpp"

namespace planner::inline search {

std::size_t thread_count(std::size_t asked) {
  if (asked > 0) return asked;
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

void for_each_index(std::size_t n, std::size_t threads,
                    const std::function<void(std::size_t)>& body) {
  if (threads == 1) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  struct Nothing {};
  parallel_for_each_index(
      n, threads, [] { return Nothing{}; }, [&body](Nothing&, std::size_t i) { body(i); },
      [](const Nothing&) {});
}

}  // namespace planner::search
