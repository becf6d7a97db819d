#include "planner/perf/collectives/pipelined_reduce.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/collectives/double_tree.hpp"

namespace planner::inline perf {

PipelinedReduce pipelined_reduce(Bytes data, std::int64_t nodes, BytesPerSecond bandwidth,
                                 Seconds step_latency) {
  const Seconds transfer = data / bandwidth;
  constexpr double kMostChunks = 1e9;  // without a latency there is no best number
  const std::int64_t steps = 2 * tree_depth(real(nodes)) + 2;
  const double after_first = real(steps - 1);
  const auto time_of = [&](double k) { return kPipelined(k, real(steps), step_latency, transfer); };
  const double best = std::sqrt(after_first * (transfer / step_latency));
  const double below = std::clamp(std::floor(best), 1.0, kMostChunks);
  const double k = time_of(below + 1) < time_of(below) ? below + 1 : below;
  const Seconds time = time_of(k);
  return {.time = time,
          .chunks = static_cast<std::int64_t>(k),
          .bandwidth = data / time,
          .steps = steps,
          .step_rate = bandwidth,
          .step_latency = step_latency};
}

}  // namespace planner::perf
