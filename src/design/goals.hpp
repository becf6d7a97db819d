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

/// A design's figures: as expected, and those that it stays within in a share of all cases.
struct Judged {
  Figures expected{}, confident{};
  RunTimes run{};
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

/// How the run that a space is for turns money and time into figures.
class Judge {
 public:
  /// @param confidence  of Judged::confident, from 0.5 to less than 1
  Judge(const Space& space, double confidence);

  /// A design with its best strategy.
  /// Money that depends on prices and on time takes both at their worst together. Nothing: failures
  /// leave nothing of its time, or it has too few spares.
  [[nodiscard]] std::optional<Judged> judge(const Bought& cluster, const DesignId& id,
                                            const BestTime& best, const Lateness& late) const;
  /// A cluster whose run takes so long.
  [[nodiscard]] Judged judge(const Bought& cluster, const RunTimes& run) const;
  /// Figures that a design is not below with at least these parts and that time.
  [[nodiscard]] Figures least(const Piece& parts, const DesignId& id, Seconds iteration) const;

  /// What a second of an iteration adds to the figures that grow with it.
  [[nodiscard]] Figures per_second(const Piece& parts, std::size_t batch) const;

 private:
  const Space& space_;
  double confidence_;
  double owned_;  ///< Space::owned_value, cents
};

/// Whether a measure is a sum of money.
constexpr bool in_money(Measure measure) {
  return measure == Measure::tco || measure == Measure::capex || measure == Measure::run_cost;
}

/// Whether it grows with the time of an iteration, where everything else is equal; all others are
/// the same whatever that takes.
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

/// The place of a design with the GPUs that its run uses: what decides between equals.
struct Place {
  DesignId id;
  std::int64_t used = 0;

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
