#pragma once

#include <optional>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

namespace planner::inline perf {

/// The class of a run: its generation's, else that of any generation. Null when there is none.
const ResidualClass* class_of(const std::vector<ResidualClass>& classes,
                              std::optional<Generation> generation, bool mixture_of_experts);

/// Where a workload stands among the runs that a calibration's errors were measured on.
struct MeasuredRange {
  const ResidualClass* nearest = nullptr;  ///< null: no errors of such runs are known
  bool own_generation = true;              ///< the class is of the workload's GPU generation
  double gpu_doublings = 0, sequence_doublings = 0;  ///< beyond the largest and longest measured

  /// How much wider than the class's an interval is: kOtherGeneration times where the generation
  /// has no class of its own, and more by a share for every doubling beyond what was measured.
  [[nodiscard]] double widening() const;
};
/// By judgement: no measured run says how far one of an unmeasured generation is off.
inline constexpr double kOtherGeneration = 2;
/// What it takes that intervals of the smaller and shorter measured runs hold kIntervalShare of the
/// larger and longer ones of other sources.
inline constexpr double kWiderPerGpuDoubling = 0.4, kWiderPerSequenceDoubling = 0.65;

/// @param classes  of a calibration that outlives the result
MeasuredRange measured_range(const std::vector<ResidualClass>& classes, const Workload& workload);

/// The predicted time's interval: exp of the class's residuals, spread about their middle by the
/// widening. Nothing without a calibration, or one that has no errors of such runs.
std::optional<TimeInterval> time_interval(const Workload& workload, Seconds predicted);

}  // namespace planner::perf
