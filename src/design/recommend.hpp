#pragma once

#include <optional>
#include <string>
#include <vector>

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

struct Recommendation {
  std::vector<Found> best;  ///< as many as asked for; none: nothing fits
  Certificate search;
  std::vector<Found> front{};  ///< by the first of its measures
  std::optional<Certificate> front_search{};
  std::vector<std::optional<Found>> by_system{};  ///< in the order of the space
  std::vector<Relaxation> relax{};                ///< where nothing fits
};

/// Limits that a brief has.
std::vector<Measure> limited(const BriefLimits& limits);
/// What a design has of a limited measure, in the share of cases that the brief asks for.
double needed(const Found& found, Measure limit);

/// @param every  looks at every design: no bounds
Recommendation recommend(const Space& space, const Brief& brief, std::size_t top, bool every,
                         Times& times, const Control& control = {});

/// The run of a design: its GPUs, its network, and what of the HB domains it uses as one.
Workload job_of(const Space& space, const Found& found);

}  // namespace planner::design
