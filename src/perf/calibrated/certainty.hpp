#pragma once

#include <optional>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"

namespace planner::inline perf {

/// The class of a run: its generation's, else that of any generation. Null when there is none.
const ResidualClass* class_of(const std::vector<ResidualClass>& classes,
                              std::optional<Generation> generation, bool mixture_of_experts);

/// What one's own runs say of a workload's accelerator and software; null: there are none, or the
/// timing model is not fitted.
const OwnRuns* own_runs(const Workload& workload);
/// Their factor, 1 without any.
double own_factor(const Workload& workload);

/// Where a workload stands among the runs that a calibration's errors were measured on.
struct MeasuredRange {
  /// Null: no errors of any runs are known.
  const ResidualClass* nearest = nullptr;
  bool own_generation = true;  ///< the class is of the workload's GPU generation
  /// Runs of its kind and format were fitted to on the generation by its software.
  bool own_software = true;
  double gpu_doublings = 0, sequence_doublings = 0;  ///< beyond the largest and longest measured
  std::optional<MissedRuns> outside{};               ///< runs that the fit has not seen the like of
  const OwnRuns* own = nullptr;  ///< of one's own on the accelerator; null: none
  double own_gpu_doublings = 0, own_sequence_doublings = 0;  ///< beyond theirs

  /// Ends of an interval of ln(measured/predicted).
  struct Ends {
    double low = 0, high = 0;
  };
  /// Those of the class: about its middle wider by a share for every doubling of the sequence
  /// beyond what was measured; the slow end farther out by a share of the class's width for every
  /// doubling of the GPUs; and both as far out as those of the runs outside the fit, where the
  /// generation has no class of its own, or no run of the software: the slow end twice as far out
  /// where nothing is known of such. There is a nearest class.
  [[nodiscard]] Ends of_class() const;
  /// Those of one's own runs where there are any, as much farther out beyond their sizes, but never
  /// beyond those of the class; else those of the class. There is one of the two.
  [[nodiscard]] Ends ends() const;
  /// What half of all runs stay below: 0, or the middle of the runs outside the fit where that is
  /// what is known.
  [[nodiscard]] double middle() const;
  /// How much wider than that of the class, or of one's own runs, that is.
  [[nodiscard]] double widening() const;
};
/// What it takes that intervals of the smaller and shorter measured runs hold kIntervalShare of the
/// larger and longer ones of other sources. What grows with the number of GPUs only slows.
inline constexpr double kSlowerPerGpuDoubling = 0.15, kWiderPerSequenceDoubling = 0.65;
/// How much wider the slow side is where no fit has seen such runs and nothing is known of any:
/// judgement, for that is no reason for a narrower interval.
inline constexpr double kSlowSideUnknown = 2;

/// @param workload  has constants, which outlive the result
MeasuredRange measured_range(const Workload& workload);

/// The predicted time's interval: exp of the ends. Nothing without a calibration, or one that has
/// no errors of such runs.
std::optional<TimeInterval> time_interval(const Workload& workload, Seconds predicted);

/// Whether measured runs are like the workload's: of its generation, software, kind of model and
/// format. What is called one generation of TPUs are chips of several: of its accelerator there.
bool alike(const MeasuredRuns& runs, const Workload& workload);

/// Which runs a workload's time rests on; nothing where the timing model is not fitted. Of a
/// calibration that does not say, runs of a generation are those of its class.
std::optional<Evidence> evidence_of(const Workload& workload);

}  // namespace planner::perf
