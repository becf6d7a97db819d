#pragma once

#include <optional>
#include <string>

#include "planner/domain/reliability.hpp"

namespace planner {

/// The options of `planner reliability`, besides --gpus, and of commands that plan with failures.
struct ReliabilityRequest {
  std::optional<std::string> rates;
  ReliabilitySettings how;
  std::optional<double> ideal_days, usd_per_gpu_hour;
};

}  // namespace planner
