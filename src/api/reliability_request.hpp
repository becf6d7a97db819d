#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/domain/reliability.hpp"

namespace planner {

/// The options of `planner reliability`, besides --gpus.
struct ReliabilityRequest {
  std::optional<std::string> rates;
  std::optional<double> checkpoint_s;  ///< useful work between two
  bool checkpoint_auto = false;        ///< the optimal interval, whatever the rates' jobs used
  std::optional<double> stall_s, durable_s, detect_s, diagnose_s, restart_s;
  bool recovery_can_fail = false;
  std::optional<std::int64_t> spares, spare_pools, crews;
  std::optional<double> repair_h, visit_days;
  std::optional<AccessLinks> access;
  std::optional<double> degraded_speed;
  std::optional<std::int64_t> gpus_per_node, nics, switches;
  std::optional<double> ideal_days, usd_per_gpu_hour;
};

}  // namespace planner
