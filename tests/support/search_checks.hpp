// What holds of every search, checked against all strategies one by one.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "planner/perf/model/placement.hpp"
#include "planner/search/kernels.hpp"
#include "support/exhaustive.hpp"
#include "support/random_workloads.hpp"

namespace planner::testing {

/// That the search is the sorted list of `all` strategies of a space, by any number of threads,
/// with bounds and without; the list.
inline SearchResult check_sorted_list(const Workload& workload, const SearchSpace& space,
                                      const std::vector<Strategy>& all, std::size_t top) {
  const SearchResult expected = exhaustive(workload, all, Objective::time, top);
  for (const bool prune : {true, false}) {
    for (const int threads : {1, 2}) {
      CAPTURE(prune);
      CAPTURE(threads);
      CHECK(rank_strategies(workload, space, {.top = top, .threads = threads, .prune = prune}) ==
            expected);
    }
  }
  CHECK(rank_strategies(workload, space, {.top = top, .count = false}) ==
        SearchResult{.best = expected.best, .fastest = expected.fastest});
  return expected;
}

/// How many strategies had their own time as bound, and how many others that ruled out.
struct BoundsTried {
  std::int64_t tried = 0, cut = 0;
};

/// That no bound of a kernel is above the time of a strategy: with that as its bound it is timed.
inline void check_kernel_bounds(const Workload& workload, const SearchSpace& space, Random& random,
                                BoundsTried& bounds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Enumeration enumeration(workload, space);
  for (const Column& column : enumeration.columns()) {
    const auto pairs = enumeration.inner_pairs(column);
    const auto placements = enumeration.placements(column);
    if (pairs.empty() || placements.empty()) continue;
    const std::int64_t samples = workload.run.global_batch / column.dp;
    const std::vector<Sharding> stages = enumeration.shardings(column);
    // Only what is within a bound has to be right: a kernel of its own for each, which has seen no
    // looser one.
    const auto times = [&](const Strategy& setting, std::size_t placement, double bound) {
      CalibratedKernel kernel(workload);
      kernel.start(column, pairs, placements, samples, stages);
      std::vector<double> memories(kernel.padded_size());
      std::vector<double> seconds(kernel.padded_size(), std::numeric_limits<double>::quiet_NaN());
      const Strategy at = placed_as(placements[placement], setting);
      if (kernel.none_within(at, bound, nullptr)) return seconds;
      if (kernel.none_synchronised_within(at, bound, nullptr)) return seconds;
      kernel.memories(at, kInfinity, memories);
      if (kernel.none_fitting_within(at, bound)) return seconds;
      if (kernel.none_fitting_within(at, placement, bound)) return seconds;
      kernel.times(at, placement, bound, memories, kInfinity, seconds);
      return seconds;
    };
    for (const Strategy& setting : enumeration.settings(column)) {
      if (random.coin()) continue;
      const auto placement =
          static_cast<std::size_t>(random.below(static_cast<std::int64_t>(placements.size())));
      const std::vector<double> exact = times(setting, placement, kInfinity);
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        const std::vector<double> bounded = times(setting, placement, exact[k]);
        CHECK(bounded[k] == exact[k]);
        ++bounds.tried;
        for (std::size_t j = 0; j < pairs.size(); ++j) {
          bounds.cut += std::isnan(bounded[j]) ? 1 : 0;
        }
      }
    }
  }
}

}  // namespace planner::testing
