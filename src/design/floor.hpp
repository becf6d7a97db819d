#pragma once

#include <cstdint>

#include "planner/domain/run.hpp"

namespace planner::design {

/// Times that no strategy of a workload beats, on any network, by the work that must be done.
class TimeFloor {
 public:
  /// @param workload  of the calibrated model; its GPUs are not looked at
  explicit TimeFloor(const Workload& workload);

  /// Of one iteration on so many GPUs.
  [[nodiscard]] Seconds of(std::int64_t gpus) const;

 private:
  double gpu_seconds_ = 0;  ///< of all GPUs together
  double straggling_ = 0;   ///< for every doubling of GPUs from 8 on
};

}  // namespace planner::design
