#pragma once

#include "planner/core/quantity.hpp"

namespace planner::inline reliability {

/// What each failure cost, as an operator's log has it.
struct FailureCosts {
  Seconds checkpoint_interval{};
  Seconds detect{}, diagnose{}, restart{};
};

/// Shares of a month that failures took.
struct DowntimeShares {
  double post_checkpoint = 0, detect = 0, diagnose = 0, restart = 0;
  [[nodiscard]] double total() const { return post_checkpoint + detect + diagnose + restart; }
};

/// Accounting of `failures` counted in a month of the calendar, half an interval lost at each:
/// the form of the C4 paper (Dong et al., Alibaba), Table III. No model: it says nothing of another
/// month.
DowntimeShares wall_month(double failures, const FailureCosts& each, Seconds month);

}  // namespace planner::reliability
