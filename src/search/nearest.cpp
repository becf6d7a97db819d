#include <algorithm>
#include <numeric>
#include <vector>

#include "planner/core/divisors.hpp"
#include "planner/search/space.hpp"

namespace planner {

namespace {

bool has_strategy(Workload workload, const SearchSpace& space, std::int64_t gpus) {
  workload.gpus = gpus;
  const Enumeration enumeration(workload, space);
  for (const Column& column : enumeration.columns()) {
    if (!enumeration.inner_pairs(column).empty() && !enumeration.placements(column).empty()) {
      return true;
    }
  }
  return false;
}

/// The degrees that may be used: those of the pinned list, or all where it is empty.
std::vector<std::int64_t> open_degrees(const std::vector<std::int64_t>& legal,
                                       const std::vector<std::int64_t>& pinned) {
  if (pinned.empty()) return legal;
  std::vector<std::int64_t> open;
  for (const std::int64_t degree : legal) {
    if (std::find(pinned.begin(), pinned.end(), degree) != pinned.end()) open.push_back(degree);
  }
  return open;
}

/// Every product t·p·d of degrees that Eq. 18 and the pins allow, ascending.
std::vector<std::int64_t> candidates(const Workload& workload, const SearchSpace& space) {
  const TransformerSpec& model = workload.model;
  const TrainingRun& run = workload.run;
  const auto pp = open_degrees(divisors(model.layers), space.pp);
  const auto dp = open_degrees(divisors(run.global_batch), space.dp);
  std::vector<std::int64_t> counts;
  for (const std::int64_t t :
       open_degrees(divisors(std::gcd(run.sequence, model.hidden)), space.tp)) {
    if (t > space.max_tp) continue;
    for (const std::int64_t p : pp) {
      for (const std::int64_t d : dp) {
        std::int64_t tp = 0, count = 0;
        if (__builtin_mul_overflow(t, p, &tp) || __builtin_mul_overflow(tp, d, &count)) continue;
        counts.push_back(count);
      }
    }
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace

NearestCounts nearest_gpu_counts(const Workload& workload, const SearchSpace& space) {
  const std::vector<std::int64_t> counts = candidates(workload, space);
  NearestCounts nearest;
  auto above = std::upper_bound(counts.begin(), counts.end(), workload.gpus);
  for (; above != counts.end() && nearest.above == 0; ++above) {
    if (has_strategy(workload, space, *above)) nearest.above = *above;
  }
  auto below = std::lower_bound(counts.begin(), counts.end(), workload.gpus);
  while (below != counts.begin() && nearest.below == 0) {
    if (has_strategy(workload, space, *--below)) nearest.below = *below;
  }
  return nearest;
}

}  // namespace planner
