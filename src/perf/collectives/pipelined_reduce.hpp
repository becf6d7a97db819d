#pragma once

#include <cstdint>

#include "planner/core/quantity.hpp"

namespace planner::inline perf {

/// An all-reduce of a certain size, sent in k chunks through the steps of a pipeline.
struct PipelinedReduce {
  Seconds time{};
  std::int64_t chunks = 1;     ///< k
  BytesPerSecond bandwidth{};  ///< data / time
  std::int64_t steps = 1;      ///< s
  BytesPerSecond step_rate{};  ///< B: of the slowest step
  Seconds step_latency{};      ///< α
};

/// Default latency of one step of the pipeline: HFReduce's is not published. NCCL's tuning table
/// (src/graph/tuning.cc, hwLat, network, tree, Simple protocol) has 14 µs for the same step.
inline constexpr Seconds kTreeStepLatency = 14 * units::us;

/// Its time, for numbers and for Text.
inline constexpr auto kPipelined = [](auto k, auto steps, auto step_latency, auto transfer) {
  return (k + (steps - 1)) * (step_latency + transfer / k);
};

/// Time (k + s - 1)·(α + d/(k·B)) of a pipeline of s = 2·depth + 2 steps (copy and add, up, down,
/// copy back) with the best number of chunks k, about sqrt(d·(s-1)/(α·B)). Source: Sanders et al.
/// 2009, §2.
/// @param bandwidth  B: the rate of the slowest step
PipelinedReduce pipelined_reduce(Bytes data, std::int64_t nodes, BytesPerSecond bandwidth,
                                 Seconds step_latency);

}  // namespace planner::perf
