#pragma once

#include <cstdint>

#include "planner/core/quantity.hpp"
#include "planner/domain/strategy.hpp"

namespace planner {

/// Where the time of one iteration goes; the parts sum to total().
struct IterationBreakdown {
  Seconds bubble_compute{};
  Seconds bubble_communication{};
  Seconds last_stage_compute{};
  Seconds last_stage_tp_communication{};
  Seconds last_stage_pp_communication{};
  Seconds sync{};  ///< data-parallel gradient synchronisation

  [[nodiscard]] constexpr Seconds total() const {
    return bubble_compute + bubble_communication + last_stage_compute +
           last_stage_tp_communication + last_stage_pp_communication + sync;
  }
  bool operator==(const IterationBreakdown&) const = default;
};

/// What fills the memory of the fullest GPU; the parts sum to total().
struct MemoryBreakdown {
  Bytes weights{};
  Bytes gradients{};
  Bytes optimizer{};
  Bytes activations{};

  [[nodiscard]] constexpr Bytes total() const {
    return weights + gradients + optimizer + activations;
  }
  bool operator==(const MemoryBreakdown&) const = default;
};

/// A strategy with everything that follows from it.
struct Plan {
  Strategy strategy;
  std::int64_t microbatches = 0;  ///< m = B/(d·b)
  IterationBreakdown time;
  MemoryBreakdown memory;
  Bytes capacity{};                      ///< memory of one GPU
  double mfu = 0;                        ///< model FLOPs over the datasheet's dense peak, 0 to 1
  double hfu = 0;                        ///< the same with recomputed FLOPs
  FlopsPerSecond model_flops_per_gpu{};  ///< model FLOPs per second and GPU
  double tokens_per_second = 0;          ///< all GPUs together
  double tokens_per_second_per_gpu = 0;

  [[nodiscard]] bool fits() const { return memory.total() <= capacity; }
  bool operator==(const Plan&) const = default;
};

}  // namespace planner
