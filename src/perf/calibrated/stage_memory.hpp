#pragma once

#include <algorithm>

#include "planner/perf/calibrated/calibrated.hpp"

// Memory of one stage, where vector loops can take it in.
namespace planner::inline perf {

// Where the optimizer's step takes more than what is gone by then, it is the peak.
inline MemoryBreakdown Calibrated::memory(const StageMemory& at, double b, InFlight held,
                                          const Reserve& outside) {
  const Bytes activations =
      b * held.ahead * at.activations_per_sample + b * held.deferred * at.deferred_per_sample -
      b * std::min(held.chunks, held.ahead * at.most_chunks) * at.freed_per_chunk;
  const Bytes at_work = b * at.working_set_per_sample, logits = b * at.logits_per_sample;
  const bool stepping = at.while_stepping > activations + (at.gathered + at_work + logits);
  const auto unless_stepping = [stepping](Bytes bytes) { return stepping ? Bytes{} : bytes; };
  MemoryBreakdown memory{
      .weights = at.weights,
      .gradients = at.gradients,
      .optimizer = at.optimizer + (stepping ? at.while_stepping : Bytes{}),
      .activations = unless_stepping(activations),
      .gathered_weights = unless_stepping(at.gathered),
      .working_set = unless_stepping(at_work),
      .logits = unless_stepping(logits),
      .communication_buffers = outside.base,
  };
  // What the allocator holds but cannot use, and what lies outside of it.
  memory.framework_reserve = (outside.reserved - 1) * memory.total() + outside.driver_context;
  return memory;
}

}  // namespace planner::perf
