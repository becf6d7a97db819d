#pragma once

#include <atomic>
#include <limits>

#include "planner/search/leaders.hpp"
#include "planner/search/search.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

/// The worst value that is still among the best so far, over all threads. Only used to skip what
/// cannot matter, so its timing changes the work but never the result.
class SharedBound {
 public:
  [[nodiscard]] double value() const { return bound_.load(std::memory_order_relaxed); }
  void lower(double time) {
    double seen = value();
    while (time < seen && !bound_.compare_exchange_weak(seen, time, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<double> bound_{std::numeric_limits<double>::infinity()};
};

/// What all workers of a search look at.
struct Job {
  const Workload& workload;
  const SearchSpace& space;
  const SearchOptions& options;
  Ranking ranking;
  Enumeration enumeration;
  SharedBound bound{};

  [[nodiscard]] bool stopped() const { return is_set(options.stop); }
};

}  // namespace planner::search
