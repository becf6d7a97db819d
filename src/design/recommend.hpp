#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/design/flips.hpp"
#include "planner/design/search.hpp"
#include "planner/domain/plan.hpp"

// What a brief comes to: the best designs, the front, the best of each system, and what would have
// to give where nothing fits.
namespace planner::design {

/// One limit that is to be given up.
struct Relaxation {
  Measure limit = Measure::tco;
  /// The design that needs least of it, all other limits kept; nothing: not even without it.
  std::optional<Found> design{};
};

/// What the best becomes with another limit, all others kept.
struct Alternative {
  double limit = 0;             ///< a figure, as limit_of()
  std::optional<Found> best{};  ///< nothing: nothing fits
};
/// Whether a limit binds, and what the next of it buys.
struct Margin {
  Measure limit = Measure::tco;
  Alternative looser{}, tighter{};  ///< by kMarginStep
  std::optional<Found> without{};   ///< the best without it
};
/// Share of a limit that is added and taken away.
inline constexpr double kMarginStep = 0.1;

struct Recommendation {
  std::vector<Found> best;  ///< as many as asked for; none: nothing fits
  Certificate search;
  std::vector<Found> front{};  ///< by the first of its measures
  std::optional<Certificate> front_search{};
  std::vector<std::optional<Found>> by_system{};  ///< in the order of the space
  std::vector<Relaxation> relax{};                ///< where nothing fits
  std::vector<Margin> margins{};                  ///< of each limit, where something does
  std::vector<Flip> flips{};
  /// Of each system that is not the best's: the price of its node below which it would be; nothing:
  /// not even for nothing, or the goal is not in money.
  std::vector<std::optional<double>> wins_below{};
  /// Whether the time was enough for all that is asked behind the best.
  bool asked_to_end = true;
};

/// The first question of a brief: its best designs.
Question question_of(const Brief& brief, std::size_t top);

/// Limits that a brief has.
std::vector<Measure> limited(const BriefLimits& limits);
/// What a design has of a limited measure, in the share of cases that the brief asks for.
double needed(const Found& found, Measure limit);

/// @param every  looks at every design: no bounds, and no questions beside the best and the front
Recommendation recommend(const Space& space, const Brief& brief, std::size_t top, bool every,
                         Times& times, const Control& control = {});

}  // namespace planner::design
