#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "planner/search/front.hpp"
#include "planner/search/search.hpp"

namespace planner::inline search {

/// What strategies are ranked by: smaller is better.
struct Ranking {
  Objective objective = Objective::time;
  FitRule rule;
  bool whatever_it_risks = false;  ///< by time alone

  /// Seconds, never less than a strategy's time; or bytes, if that is the objective.
  [[nodiscard]] double value(const Ranked& of) const {
    if (objective == Objective::memory) return of.memory.si();
    return (whatever_it_risks ? of.time : of.value(rule)).si();
  }
};

/// The best few strategies by key, then canonical order. Candidates of one column must come in
/// canonical order; the columns may come in any.
class Leaders {
 public:
  /// @param within  how many times the best's value one may have, at least 1
  Leaders(const Ranking& ranking, std::size_t capacity, double within)
      : ranking_(ranking), capacity_(capacity), within_(within) {}

  void offer(const Candidate& candidate) {
    const Ranked& one = candidate.ranked;
    best_.emplace(Place{ranking_.value(one), one.time.si(), candidate.column}, candidate);
    while (!best_.empty() && (best_.size() > capacity_ || value_of(*best_.rbegin()) > limit())) {
      best_.erase(std::prev(best_.end()));
    }
  }
  /// A newcomer with a greater value will not be kept.
  [[nodiscard]] double limit() const {
    if (capacity_ == 0) return -kNoLimit;
    if (best_.empty()) return kNoLimit;
    const double far = within_ * value_of(*best_.begin());
    return best_.size() < capacity_ ? far : std::min(far, value_of(*best_.rbegin()));
  }
  [[nodiscard]] std::vector<Candidate> best() const {
    std::vector<Candidate> in_order;
    for (const auto& [place, candidate] : best_) in_order.push_back(candidate);
    return in_order;
  }

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  using Place = std::tuple<double, double, std::size_t>;  ///< value, time, column
  using Best = std::multimap<Place, Candidate>;           // equal ones as they came

  static double value_of(const Best::value_type& one) { return std::get<0>(one.first); }

  Ranking ranking_;
  std::size_t capacity_;
  double within_;
  Best best_;
};

}  // namespace planner::search
