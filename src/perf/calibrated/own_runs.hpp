#pragma once

#include <vector>

#include "planner/domain/calibration.hpp"
#include "planner/domain/plan.hpp"

// What a few runs of one source say of its further ones. Residuals r = ln(measured/predicted) of a
// source lie about a level of its own, normally with `within`; levels of sources lie about 0 with
// `between` (the one-way random-effects model, Searle, Casella and McCulloch 1992, chapter 3).
namespace planner::inline perf {

/// Standard deviations of ln(measured/predicted); own runs that scatter more or less than `within`
/// count against so many degrees of freedom of it.
struct ResidualSpread {
  double between = 0, within = 0, degrees = 0;
};
/// By what fits without their source leave of shipped rows: between sources what is left of the
/// classes' intervals, within a source what it takes that three of its runs hold kIntervalShare of
/// its others. A source's mixtures differ by model and precision more than sources do: how much of
/// what a few runs show is the source's, their own scatter says, not what is usual.
inline constexpr ResidualSpread kDenseSpread{.between = 0.10, .within = 0.06, .degrees = 6};
inline constexpr ResidualSpread kMoeSpread{.between = 0.08, .within = 0.20, .degrees = 1};

/// What is known of a source's runs before any was measured: where its level lies, and how far off.
struct UsualLevel {
  double middle = 0;
  ResidualSpread spread;
};
/// Where runs like it are in the fit.
constexpr UsualLevel usual_level(bool mixture_of_experts) {
  return {.middle = 0, .spread = mixture_of_experts ? kMoeSpread : kDenseSpread};
}
/// Where none are: as far off as the runs that no fit has seen were, and scattered as those of
/// mixtures are, for the terms were fitted on other machines.
UsualLevel usual_level(const MissedRuns& outside);

/// Factor and interval of a source's further runs: the level's mean given the residuals,
/// (n·m/within² + middle/between²)/(n/within² + 1/between²), m being their median, which one bad
/// run does not move, and of a new run's deviation from it the 10 and 90 % ends, with the variance
/// within² + 1/(n/within² + 1/between²); within² is that of the shipped sources and of these
/// residuals together. What a source did it may do again: the ends leave out no more than a tenth
/// of its runs each, and none of fewer than ten.
/// @param residuals  ln(measured/predicted), at least one
struct OwnLevel {
  double factor = 1, low = 0, high = 0;
};
OwnLevel own_level(const std::vector<double>& residuals, const UsualLevel& usual);

}  // namespace planner::perf
