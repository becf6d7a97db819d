#pragma once

#include <span>
#include <string_view>

#include "planner/domain/plan.hpp"
#include "planner/domain/shade.hpp"

namespace planner {

/// A part of a breakdown: what it is called wherever it is written, and how it is drawn.
template <class Breakdown, class Amount>
struct PlanPart {
  std::string_view key;    ///< in JSON
  std::string_view name;   ///< in tables
  std::string_view label;  ///< in the legend of a chart
  Shade shade;             ///< there
  int place;               ///< in the bars of a chart, from 1
  Amount Breakdown::*amount;
  /// Of the rail-only paper (arXiv 2307.12169); empty: only the calibrated model has the part.
  std::string_view equation = {};

  [[nodiscard]] constexpr bool calibrated_only() const { return equation.empty(); }
};

/// Every part of the iteration's time, in the order of the JSON.
using TimePart = PlanPart<IterationBreakdown, Seconds>;
std::span<const TimePart> time_parts();

/// Every part of the memory of a GPU, in the order of the JSON.
using MemoryPart = PlanPart<MemoryBreakdown, Bytes>;
std::span<const MemoryPart> memory_parts();

}  // namespace planner
