#pragma once

#include "planner/commands/command.hpp"
#include "planner/commands/options/failures.hpp"
#include "planner/commands/parts/failures.hpp"

namespace planner::commands {

struct ReliabilityRequest {
  std::vector<std::string> files;  ///< a cluster file, or none
  std::optional<std::int64_t> gpus;
  FailureChoice failures;
  std::optional<double> ideal_days, usd_per_gpu_hour;
};

struct ReliabilityAnswer {
  FailureInputs inputs;
  FailureSummary result;
};

ReliabilityAnswer meet_failures(const ReliabilityRequest& request, Context& context);
const json::Table<ReliabilityAnswer>& reliability_fields();
present::Document reliability_view(const ReliabilityAnswer& answer);

/// `planner reliability`: failures, checkpoints, spares: availability and days.
Command reliability();

}  // namespace planner::commands
