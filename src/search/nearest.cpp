#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <queue>
#include <set>
#include <utility>

#include "planner/core/ceil_div.hpp"
#include "planner/core/divisors.hpp"
#include "planner/search/allowed.hpp"
#include "planner/search/space.hpp"

namespace planner::inline search {

namespace {

/// Counts that are tried on each side before giving up: only pins of placements or micro-batches
/// can rule the nearest one out.
constexpr int kMostTries = 1000;

bool has_strategy(Workload workload, const SearchSpace& space, std::int64_t gpus,
                  const std::atomic<bool>* stop) {
  workload.gpus = gpus;
  const Enumeration enumeration(workload, space);
  bool found = false;
  const auto look_at = [&](const Column& column) {
    found = !enumeration.inner_pairs(column).empty() && !enumeration.settings(column).empty() &&
            !enumeration.placements(column).empty();
    return !found && !is_set(stop);
  };
  enumeration.for_each_column(look_at, stop);
  return found;
}

/// The degrees that may be used: those of the pinned list, or all where it is empty.
std::vector<std::int64_t> open_degrees(const std::vector<std::int64_t>& legal,
                                       const std::vector<std::int64_t>& pinned) {
  std::vector<std::int64_t> open;
  std::copy_if(legal.begin(), legal.end(), std::back_inserter(open),
               [&](std::int64_t degree) { return allowed(pinned, degree); });
  return open;
}

/// Every product t·p·cp of degrees that the rules and the pins allow.
std::set<std::int64_t> model_parallel_degrees(const Workload& workload, const SearchSpace& space,
                                              const std::vector<std::int64_t>& cp) {
  const DegreeRules rules(workload);
  const auto pp = open_degrees(rules.pp(), space.pins.pp);
  std::set<std::int64_t> products;
  for (const std::int64_t t : open_degrees(rules.tp(), space.pins.tp)) {
    if (t > space.pins.max_tp) continue;
    for (const std::int64_t p : pp) {
      for (const std::int64_t c : cp) {
        if (rules.share_sequence(t, c)) products.insert(t * p * c);
      }
    }
  }
  return products;
}

/// A count t·p·d, and where its d stands.
struct Candidate {
  std::int64_t count = 0, tp = 0;
  std::size_t d = 0;
};

/// Walks away from N, nearest count first, until one has a strategy; 0 when none has.
/// @param step  +1 upwards, -1 downwards
std::int64_t nearest(const Workload& workload, const SearchSpace& space,
                     const std::set<std::int64_t>& tp_products, const std::vector<std::int64_t>& dp,
                     int step, const std::atomic<bool>* stop) {
  const auto farther = [step](const Candidate& a, const Candidate& b) {
    return step > 0 ? a.count > b.count : a.count < b.count;
  };
  std::priority_queue<Candidate, std::vector<Candidate>, decltype(farther)> queue(farther);
  const auto push = [&](std::int64_t tp, std::size_t d) {
    std::int64_t count = 0;
    if (d < dp.size() && !__builtin_mul_overflow(tp, dp[d], &count)) queue.push({count, tp, d});
  };
  for (const std::int64_t tp : tp_products) {
    const std::int64_t N = workload.gpus;
    // The first d with t·p·d > N, or the last with t·p·d < N; an index below zero wraps past the
    // end.
    const auto bound = step > 0 ? std::upper_bound(dp.begin(), dp.end(), N / tp)
                                : std::lower_bound(dp.begin(), dp.end(), ceil_div(N, tp)) - 1;
    push(tp, static_cast<std::size_t>(bound - dp.begin()));
  }
  std::int64_t last = 0;
  for (int tries = 0; tries < kMostTries && !queue.empty() && !is_set(stop);) {
    const Candidate next = queue.top();
    queue.pop();
    push(next.tp, next.d + static_cast<std::size_t>(step));
    if (next.count == last) continue;
    last = next.count;
    ++tries;
    if (has_strategy(workload, space, next.count, stop)) return next.count;
  }
  return 0;
}

}  // namespace

NearestCounts nearest_gpu_counts(const Workload& workload, const SearchSpace& space,
                                 const std::atomic<bool>* stop) {
  // Whatever an open cp adds, d can stand for.
  const std::vector<std::int64_t> cp =
      space.pins.cp.empty() ? std::vector<std::int64_t>{1} : space.pins.cp;
  const std::set<std::int64_t> products = model_parallel_degrees(workload, space, cp);
  const auto dp = open_degrees(divisors(workload.run.global_batch), space.pins.dp);
  return {.below = nearest(workload, space, products, dp, -1, stop),
          .above = nearest(workload, space, products, dp, +1, stop)};
}

std::int64_t nearest_batch(const Workload& workload, const SearchSpace& space,
                           const std::atomic<bool>* stop) {
  const std::int64_t N = workload.gpus, B = workload.run.global_batch;
  const auto cp = open_degrees(DegreeRules(workload).cp(), space.pins.cp);
  std::set<std::pair<std::int64_t, std::int64_t>> by_distance;
  for (const std::int64_t product : model_parallel_degrees(workload, space, cp)) {
    if (N % product != 0) continue;
    const std::int64_t d = N / product;
    for (const std::int64_t batch : {B / d * d, (B / d + 1) * d}) {
      if (batch > 0) by_distance.insert({std::abs(batch - B), batch});
    }
  }
  int tries = 0;
  for (const auto& [distance, batch] : by_distance) {
    if (++tries > kMostTries || is_set(stop)) break;
    Workload other = workload;
    other.run.global_batch = batch;
    if (has_strategy(other, space, N, stop)) return batch;
  }
  return 0;
}

std::vector<std::int64_t> legal_gpu_counts(const Workload& workload, const SearchSpace& space,
                                           std::int64_t most) {
  const auto cp = open_degrees(DegreeRules(workload).cp(), space.pins.cp);
  const auto dp = open_degrees(divisors(workload.run.global_batch), space.pins.dp);
  std::set<std::int64_t, std::greater<>> counts;
  for (const std::int64_t product : model_parallel_degrees(workload, space, cp)) {
    if (product > most) break;
    for (const std::int64_t d : dp) {
      if (d > most / product) break;
      counts.insert(product * d);
    }
  }
  return {counts.begin(), counts.end()};
}

}  // namespace planner::search
