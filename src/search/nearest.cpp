#include <algorithm>
#include <set>

#include "planner/search/divisors.hpp"
#include "planner/search/space.hpp"

namespace planner {

namespace {

bool has_strategy(Workload workload, const SearchSpace& space, std::int64_t gpus) {
  workload.gpus = gpus;
  for (const Column& column : columns(workload, space)) {
    if (!inner_pairs(workload, column, space).empty() &&
        !placements(workload, column, space).empty()) {
      return true;
    }
  }
  return false;
}

/// Products t·p·d of legal degrees around N: for each t·p the few nearest d on either side.
std::set<std::int64_t> candidates(const Workload& workload) {
  constexpr std::ptrdiff_t kPerSide = 4;  // more than one, because placement pins can rule some out
  const std::vector<std::int64_t> layer_divisors = divisors(workload.model.layers);
  const std::vector<std::int64_t> batch_divisors = divisors(workload.run.global_batch);
  std::set<std::int64_t> ranks;  // t·p
  for (const std::int64_t t : divisors(workload.run.sequence)) {
    if (workload.model.hidden % t != 0) continue;
    for (const std::int64_t p : layer_divisors) ranks.insert(t * p);
  }
  std::set<std::int64_t> counts;
  for (const std::int64_t tp : ranks) {
    const auto above = std::lower_bound(batch_divisors.begin(), batch_divisors.end(),
                                        (workload.gpus + tp - 1) / tp);
    const auto first = above - std::min(kPerSide, above - batch_divisors.begin());
    const auto last = above + std::min(kPerSide, batch_divisors.end() - above);
    for (auto d = first; d != last; ++d) {
      std::int64_t count = 0;
      if (!__builtin_mul_overflow(tp, *d, &count)) counts.insert(count);
    }
  }
  return counts;
}

}  // namespace

NearestCounts nearest_gpu_counts(const Workload& workload, const SearchSpace& space) {
  const std::set<std::int64_t> counts = candidates(workload);
  const auto above = counts.lower_bound(workload.gpus);
  NearestCounts nearest;
  for (auto it = above; it != counts.end() && nearest.above == 0; ++it) {
    if (has_strategy(workload, space, *it)) nearest.above = *it;
  }
  for (auto it = above; it != counts.begin() && nearest.below == 0;) {
    if (has_strategy(workload, space, *--it)) nearest.below = *it;
  }
  return nearest;
}

}  // namespace planner
