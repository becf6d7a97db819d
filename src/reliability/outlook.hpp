#pragma once

#include "planner/domain/estimate.hpp"
#include "planner/reliability/goodput.hpp"
#include "planner/reliability/quantiles.hpp"

// What a job comes to where its rates and recovery times are not known, and its checkpoints stay
// as they are planned for the expected ones.
namespace planner::inline reliability {

/// Standard deviations of the logarithms of all rates and of all recovery times.
struct Unknown {
  double rates = 0, recovery = 0;
};

/// Days of a run of `ideal` time, or dollars at a price that is as uncertain.
/// @param exposed  of the job
/// @param model  of the ideal time
/// @param price  of the time, expected to be 1
OutcomeLaw run_law(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                   const Unknown& unknown, const LogSpread& model = {},
                   const LogSpread& price = {});

/// The same in two steps: the nodes are what takes time, and days and dollars have them in common.
std::vector<LawNode> run_nodes(const JobReliability& job, const std::vector<Exposure>& exposed,
                               Seconds ideal, const Unknown& unknown);

/// Mean time of the run at such rates and recovery times, as factors of those that are expected.
Seconds mean_time(const JobReliability& job, const std::vector<Exposure>& exposed, Seconds ideal,
                  double rates, double recovery);

/// Availability that 80 of 100 such jobs have, without the luck of one run; expected: as it is.
Estimate<double> availability_range(const JobReliability& job, const std::vector<Exposure>& exposed,
                                    const Goodput& expected, const Unknown& unknown);

/// Days that 80 of 100 such runs take; expected: the mean.
Estimate<Seconds> days_range(const JobReliability& job, const std::vector<Exposure>& exposed,
                             const RunDays& days, const Unknown& unknown);

}  // namespace planner::reliability
