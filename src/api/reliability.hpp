#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/reliability/goodput.hpp"
#include "planner/reliability/improve.hpp"

namespace planner {

/// Availability at one checkpoint interval.
struct IntervalPoint {
  Seconds interval{};
  double availability = 0;
};

/// The intervals that formulas advise.
struct AdvisedIntervals {
  Seconds optimal{}, young{}, daly{};
};

/// What failures cost at the price of a GPU-hour, spare nodes included.
struct FailureMoney {
  Usd per_failure{};                          ///< work lost and recovery
  std::optional<Usd> ideal{}, mean{}, p95{};  ///< of the run
};

struct ReliabilityResult {
  JobReliability job;
  std::int64_t gpus_per_node = 1;    ///< of the last too, which the job may not fill
  std::vector<std::string> assumed;  ///< options that the user did not give, by name
  std::vector<Exposure> exposed;
  FailureLoad load;
  Goodput goodput;
  std::optional<AdvisedIntervals> advised{};  ///< nothing: nothing crashes the job
  std::vector<IntervalPoint> by_interval;
  std::vector<Improvement> improve;
  std::vector<double> fewer_failures;           ///< see gains_of_fewer_failures()
  std::optional<std::int64_t> spares_for_99{};  ///< with repair visits: enough in 99 of 100 cases
  std::optional<RunDays> days{};
  std::optional<FailureMoney> money{};
};

/// Spares' GPUs over those of the job, which pays for them as for its own; 0 without spares.
double spare_share(const ReliabilityResult& result);

}  // namespace planner
