#include "planner/reliability/wall_month.hpp"

namespace planner::inline reliability {

DowntimeShares wall_month(double failures, const FailureCosts& each, Seconds month) {
  return {.post_checkpoint = failures * (each.checkpoint_interval / 2 / month),
          .detect = failures * (each.detect / month),
          .diagnose = failures * (each.diagnose / month),
          .restart = failures * (each.restart / month)};
}

}  // namespace planner::reliability
