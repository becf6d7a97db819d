#pragma once

#include "planner/domain/plan.hpp"

namespace planner::inline perf {

/// Time and memory of one strategy.
struct Prediction {
  IterationBreakdown time;
  MemoryBreakdown memory;
  std::optional<GradientSync> sync_by{};  ///< what sums the gradients, where the model says it

  bool operator==(const Prediction&) const = default;
};

}  // namespace planner::perf
