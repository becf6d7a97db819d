#pragma once

#include "planner/core/quantity.hpp"
#include "planner/domain/software.hpp"
#include "planner/domain/timing.hpp"

// Whether a plan fits the memory, and how surely. Predicted peaks of memory are off like predicted
// times, so a figure near the capacity is no yes or no.
namespace planner {

/// ln(measured/predicted) of peak memory over five sources of measured runs: its mean and standard
/// deviation. The quantiles of sources by themselves differ by 0.05.
inline constexpr double kMemoryBias = 0.015, kMemorySpread = 0.11;
/// Predicted memory over the capacity beyond which a plan of the calibrated model is refused: 1.5 %
/// of the strategies that really ran lie there; beyond 1.00 it would be 5.5 %, for real runs sit at
/// the limit.
inline constexpr double kRefusedBeyond = 1.05;
/// Of a software class no peak of which was measured (JAX; XLA lays memory out ahead): the spread
/// is judgement, and refused is what is farther beyond the capacity than any shipped run that ran.
inline constexpr double kMostOfRunsThatRan = 1.6;
inline constexpr double kUnmeasuredMemorySpread = 0.35, kUnmeasuredRefusedBeyond = 1.7;
constexpr bool memory_measured(SoftwareClass stack) {
  return stack != SoftwareClass::jax;
}
/// Where it is as likely as not, and where it is as good as sure, that a plan fits.
inline constexpr double kEvenChance = 0.5, kSurely = 0.9;
/// What a ranking adds to the times of plans that are less sure than that (by judgement: to run out
/// of memory costs a restart with another plan, and measured runs cannot tell 5 % apart).
inline constexpr double kRiskOfUnsure = 0.02, kRiskOfUnlikely = 0.10;
/// What it adds besides where no peak was measured and more is predicted than kRefusedBeyond: such
/// plans are told, for some ran, and are the best only where there is no other.
inline constexpr double kRiskOfBeyond = 9;

/// Probability that the peak stays within the capacity: Phi((ln(capacity/predicted) -
/// bias)/spread).
/// @param measured  memory_measured() of the software
double fit_probability(Bytes predicted, Bytes capacity, bool measured = true);

/// What memory means for a plan on a GPU of this capacity.
class FitRule {
 public:
  /// The closed form counts to the byte: what is beyond the capacity is refused, all else fits.
  /// @param least  probability of fitting that a plan must have, below 1; 0: any
  /// @param measured  memory_measured() of the software
  FitRule(Timing timing, Bytes capacity, double least = 0, bool measured = true);

  /// The largest predicted memory that is not refused.
  [[nodiscard]] Bytes limit() const { return limit_; }
  [[nodiscard]] bool fits(Bytes predicted) const { return predicted <= limit_; }
  /// What a ranking multiplies the time of a plan with: never less where memory is greater.
  [[nodiscard]] double risk(Bytes predicted) const {
    return 1 + (predicted > sure_ ? kRiskOfUnsure : 0) + (predicted > even_ ? kRiskOfUnlikely : 0) +
           (predicted > beyond_ ? kRiskOfBeyond : 0);
  }
  /// The most that it multiplies with.
  /// @param measured  memory_measured() of the software
  static constexpr double most_risk(bool measured) {
    return 1 + kRiskOfUnsure + kRiskOfUnlikely + (measured ? 0 : kRiskOfBeyond);
  }
  [[nodiscard]] bool surely(Bytes predicted) const { return predicted <= sure_; }
  /// The least probability of fitting among what a ranking takes for no riskier than this; 0: any.
  [[nodiscard]] double least_as_sure(Bytes predicted) const;

 private:
  Bytes limit_{}, sure_{}, even_{};
  Bytes beyond_{};  ///< of what was measured the limit is nearer
};

/// The largest predicted memory that fits a capacity with this probability, between 0 and 1.
Bytes memory_with_probability(double probability, Bytes capacity, bool measured = true);

}  // namespace planner
