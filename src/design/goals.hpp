#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/design/bought.hpp"
#include "planner/design/failures.hpp"
#include "planner/design/space.hpp"
#include "planner/domain/brief.hpp"
#include "planner/domain/cost.hpp"

// What designs are compared and limited by.
namespace planner::design {

/// One figure for each Measure, in its order: cents, days, watts, joules, kilograms, GPUs. A
/// purchase is what is left to pay after what is owned is sold or counted; days are those since the
/// order.
using Figures = std::array<double, kMeasures.size()>;
constexpr std::size_t at(Measure measure) {
  return static_cast<std::size_t>(measure);
}

/// A design's figures: as expected, and those that it stays within in a share of all cases. What
/// the runs take and cost is the sum of what each does: they are late together.
struct Judged {
  Figures expected{}, confident{};
  std::vector<RunTimes> runs{};  ///< each of the space's

  /// Of all of them.
  [[nodiscard]] RunTimes all_runs() const;
};

/// Share of cases that lie below the upper end of an interval that holds 80 % of them, and below
/// what is expected.
inline constexpr double kUpperEnd = 0.9, kExpectedCase = 0.5;

/// Standard deviations that a share of all cases lies below, Φ⁻¹(share); 0.5 ≤ share < 1.
double deviations(double share);

/// How far a figure may exceed what is expected: (high/expected)^x, at least 1. Its logarithm is
/// normal above the median `expected`, and nine of ten cases lie below `high`, as for the upper end
/// of an interval that holds 80 % of them: x = Φ⁻¹(share)/Φ⁻¹(0.9).
double excess(double expected, double high, double share);

/// How the runs that a space is for turn money and time into figures.
class Judge {
 public:
  /// @param confidence  of Judged::confident, from 0.5 to less than 1
  Judge(const Space& space, double confidence);

  /// A cluster on which each of the runs takes so long. Money that depends on prices and on time
  /// takes both at their worst together.
  [[nodiscard]] Judged judge(const Bought& cluster, std::vector<RunTimes> runs) const;
  /// Figures that a design is not below with at least these parts, and that time of all runs.
  [[nodiscard]] Figures least(const Piece& parts, const DesignId& id, Seconds all_runs) const;

  /// What a second of the runs adds to the figures that grow with it.
  [[nodiscard]] Figures per_second(const Piece& parts) const;

 private:
  const Space& space_;
  double confidence_;
  double owned_;  ///< Space::owned_value, cents
};

/// Cents by which rounding moves a sum of what runs cost, at most: half a cent for each.
constexpr double rounding_of(std::size_t runs) {
  return static_cast<double>((runs + 1) / 2);
}

/// Whether a measure is a sum of money.
constexpr bool in_money(Measure measure) {
  return measure == Measure::tco || measure == Measure::capex || measure == Measure::run_cost;
}

/// Whether it grows with the time of the runs, where everything else is equal; all others are the
/// same whatever they take.
constexpr bool grows(Measure measure) {
  return measure == Measure::days || measure == Measure::run_cost || measure == Measure::energy ||
         measure == Measure::co2;
}

/// What is to be as small as it can be.
struct Goal {
  Measure measure = Measure::tco;
  bool confident = false;  ///< Judged::confident's figure in place of the expected one
};
double figure(const Judged& judged, const Goal& goal);

/// How a run uses a cluster.
struct UseOfCluster {
  std::size_t batch = 0;  ///< its place in those of the space
  std::int64_t gpus = 0;

  auto operator<=>(const UseOfCluster&) const = default;
};

/// The place of a design with the use that each run makes of it: what decides between equals.
struct Place {
  DesignId id;
  std::vector<UseOfCluster> runs;

  auto operator<=>(const Place&) const = default;
};

/// Which designs are asked for.
struct Question {
  std::vector<Goal> goals;  ///< one or more
  /// All that no other beats in every goal; false: the one that is least by the first goal, of
  /// equals by the next, and so on.
  bool front = false;
  /// Without a front: so many designs, the next best behind the best.
  std::size_t top = 1;
  BriefLimits limits{};
  double confidence = 0.8;
  std::optional<std::size_t> system{};  ///< only this one of the space
  /// Nobody is told its certificate, nor of a later question how many searches that took: what
  /// failures rule out is not searched first, and processes divide it by systems.
  bool uncounted = false;
};

/// A limit as a figure; nothing: there is none.
std::optional<double> limit_of(const BriefLimits& limits, Measure measure);
/// Whether figures are within limits.
bool within(const Judged& judged, const BriefLimits& limits);

/// Whether a design rules out another, or all of which `of` are lower bounds.
/// @param values, of  of the goals, in their order
/// @param first  goes before `second` where all are equal
bool rules_out(std::span<const double> values, std::span<const double> of, bool front, bool first);

}  // namespace planner::design
