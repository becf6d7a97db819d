#pragma once

#include <cstddef>
#include <vector>

#include "planner/search/search.hpp"

namespace planner::inline search {

/// A strategy in the running. `column` is the canonical index of its column.
struct Candidate {
  Ranked ranked;
  std::size_t column = 0;
};

/// The Pareto front of time against memory of all strategies offered. Candidates of one column must
/// come in canonical order; the columns may come in any.
class ParetoFront {
 public:
  void offer(const Candidate& candidate);

  /// The least time so far of strategies with at most this memory, in seconds; infinite for none. A
  /// longer one that needs as much memory is not on the front.
  [[nodiscard]] double least_time_within(double bytes) const;

  /// Memory ascends, time falls.
  [[nodiscard]] const std::vector<Candidate>& steps() const { return steps_; }

 private:
  [[nodiscard]] std::size_t first_above(double bytes) const;

  std::vector<Candidate> steps_;
};

}  // namespace planner::search
