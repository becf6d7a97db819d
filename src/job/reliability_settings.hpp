#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/estimate.hpp"
#include "planner/domain/reliability.hpp"

// From what somebody says of failures to a job that meets them.
namespace planner::job {

/// A job with everything that was taken for what nobody said.
struct SettledJob {
  JobReliability job;
  std::vector<std::string> assumed;  ///< options that the user did not give, by name
  double rate_spread = 0;            ///< standard deviation of the logarithm of all rates
  /// What the stall of checkpoints usually is, where nobody knows it and the job has none.
  std::optional<Estimate<Seconds>> unknown_stall{};
};

/// @param warnings  gets what is not known or changes nothing
/// @throws UsageError for settings that contradict each other or the rates
SettledJob settle(const ReliabilitySettings& asked, FailureRates rates, std::int64_t gpus,
                  std::vector<std::string>& warnings);

}  // namespace planner::job
