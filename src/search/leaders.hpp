#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
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
  Leaders(const Ranking& ranking, std::size_t capacity) : ranking_(ranking), capacity_(capacity) {}

  void offer(const Candidate& candidate) {
    const auto behind = std::upper_bound(
        best_.begin(), best_.end(), candidate,
        [this](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
    best_.insert(behind, candidate);
    if (best_.size() > capacity_) best_.pop_back();
  }
  /// A newcomer with a greater value will not be kept.
  [[nodiscard]] double limit() const {
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    if (capacity_ == 0) return -kNoLimit;
    return best_.size() < capacity_ ? kNoLimit : ranking_.value(best_.back().ranked);
  }
  [[nodiscard]] const std::vector<Candidate>& best() const { return best_; }

 private:
  [[nodiscard]] std::tuple<double, double, std::size_t> place(const Candidate& c) const {
    return {ranking_.value(c.ranked), c.ranked.time.si(), c.column};
  }

  Ranking ranking_;
  std::size_t capacity_;
  std::vector<Candidate> best_;
};

}  // namespace planner::search
