#pragma once

#include <span>
#include <string_view>

#include "planner/domain/plan.hpp"

namespace planner {

/// A term of the iteration time: its key in JSON, its name in tables.
struct TimePart {
  std::string_view key, name;
  Seconds IterationBreakdown::*time;
  std::string_view equation;  ///< of the closed form; empty: only the calibrated model has the term
};
/// In the order of the JSON.
std::span<const TimePart> time_parts();

/// Likewise for the memory.
struct MemoryPart {
  std::string_view key, name;
  Bytes MemoryBreakdown::*size;
  bool calibrated_only = false;
};
std::span<const MemoryPart> memory_parts();

}  // namespace planner
