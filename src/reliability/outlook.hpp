#pragma once

#include <optional>
#include <vector>

#include "planner/domain/estimate.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/outcome_law.hpp"

// What a job comes to where its rates and recovery times are not known, and its checkpoints stay
// as they are planned for the expected ones.
namespace planner::inline reliability {

/// What is not known beside the job's recovery times.
struct Unknown {
  double rates = 0;  ///< standard deviation of the logarithm of all
  /// The loss of one of two links is met as loses less at the rates that there are, not as loses
  /// less at those that are expected.
  bool better_link_loss = false;
};

/// Time of a run of `ideal` time, in seconds.
/// @param exposed  of the job
OutcomeLaw run_law(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                   const Unknown& unknown);

/// Mean time of the run at rates and recovery times that lie so many standard deviations from what
/// is expected.
Seconds mean_time(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                  const Unknown& unknown, double rates, double recovery);

/// What 80 of 100 such jobs come to.
struct OutlookRanges {
  Estimate<double> availability;          ///< without the luck of one run; expected: as it is
  std::optional<Estimate<Seconds>> days;  ///< expected: the mean
};

/// @param days  of the run, if there is one
OutlookRanges outlook_ranges(const JobReliability& job, const std::vector<Exposure>& exposed,
                             const Goodput& expected, const std::optional<RunDays>& days,
                             const Unknown& unknown);

}  // namespace planner::reliability
