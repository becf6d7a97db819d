#pragma once

#include "planner/commands/command.hpp"
#include "planner/commands/options/failures.hpp"
#include "planner/commands/parts/failures.hpp"

namespace planner::commands {

struct ReliabilityRequest {
  std::vector<std::string> files;  ///< a cluster file, or none
  std::vector<std::int64_t> gpus;
  FailureChoice failures;
  std::optional<double> ideal_days, usd_per_gpu_hour;
};

/// One of several numbers of GPUs.
struct CountOutlook {
  std::int64_t gpus = 0;
  double availability = 1;
  Estimate<double> availability_range{1, 1, 1};
  std::optional<double> wall_hours_between{};  ///< crashes; nothing: none
  double per_month = 0;                        ///< crashes in 30 days
  std::optional<double> spares_ok{};
  std::optional<Seconds> mean{}, p95{};  ///< of the run
  std::optional<Estimate<Seconds>> days_range{};
  std::optional<Usd> cost{};  ///< of the run, on average
};

struct ReliabilityAnswer {
  FailureInputs inputs;
  FailureSummary result;               ///< of several numbers of GPUs, the first
  std::vector<CountOutlook> counts{};  ///< as they were given; empty: there was one
};

ReliabilityAnswer meet_failures(const ReliabilityRequest& request, Context& context);
const json::FieldTable<ReliabilityAnswer>& reliability_fields();
present::Document reliability_view(const ReliabilityAnswer& answer);

/// `planner reliability`: failures, checkpoints, spares: availability and days.
Command reliability();

}  // namespace planner::commands
