#pragma once

#include <optional>

#include "planner/commands/options/failures.hpp"

namespace planner {

/// The options of `planner reliability`, besides --gpus.
struct ReliabilityRequest : commands::FailureChoice {
  std::optional<double> ideal_days, usd_per_gpu_hour;
};

}  // namespace planner
