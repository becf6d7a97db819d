#pragma once

#include "planner/core/quantity.hpp"

namespace planner::inline reliability {

/// Losses of one kind, which a run meets independently of all others: a Poisson number of them,
/// each of `least` + U + E, U even from 0 to `even`, E exponential.
struct RunLosses {
  double expected = 0;  ///< of the run
  Seconds least{}, even{}, exponential{};

  [[nodiscard]] Seconds mean() const { return least + even / 2 + exponential; }
};

}  // namespace planner::reliability
