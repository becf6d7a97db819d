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

  /// Ends of the interval of ln(measured/predicted): about the class's middle wider by a share for
  /// every doubling of the sequence beyond what was measured; its slow end farther out by a share
  /// of the class's width for every doubling of the GPUs, and kOtherGeneration times as far from
  /// the middle where the generation has no class of its own. There is a nearest class.
  struct Ends {
    double low = 0, high = 0;
  };
  [[nodiscard]] Ends ends() const;
  /// How much wider than the class's that is.
  [[nodiscard]] double widening() const;
};
/// Of software and machines that no class is of, 47 % of the runs kept out lie inside the intervals
/// of all, and the others are slower.
inline constexpr double kOtherGeneration = 2;
/// What it takes that intervals of the smaller and shorter measured runs hold kIntervalShare of the
/// larger and longer ones of other sources. What grows with the number of GPUs only slows.
inline constexpr double kSlowerPerGpuDoubling = 0.15, kWiderPerSequenceDoubling = 0.65;

/// @param classes  of a calibration that outlives the result
MeasuredRange measured_range(const std::vector<ResidualClass>& classes, const Workload& workload);

/// The predicted time's interval: exp of the ends. Nothing without a calibration, or one that has
/// no errors of such runs.
std::optional<TimeInterval> time_interval(const Workload& workload, Seconds predicted);

}  // namespace planner::perf
