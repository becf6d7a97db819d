#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// A loss that finds too few spares: how often, and how long until enough are back.
struct Shortage {
  double rate = 0;  ///< per second, of the hours in which units fail
  double time = 0;  ///< seconds
};

/// Shortages of nearly the same length as one, with their hours.
struct ShortagesByLength {
  int first = 0;                      ///< length of the shortest, in parts of a doubling
  std::vector<Shortage> of_length{};  ///< from it on; no rate: there is none of a length

  ShortagesByLength() = default;
  ShortagesByLength(std::span<const Shortage> shortages, int per_doubling);

  [[nodiscard]] int last() const { return first + static_cast<int>(of_length.size()) - 1; }
  [[nodiscard]] Shortage at(int length) const {
    if (length < first || length > last()) return {};
    return of_length[static_cast<std::size_t>(length - first)];
  }
};

/// How finely the states of a pool are told apart.
struct Fineness {
  /// Steps of units, and of groups, that the states' shares take at least to change by as much as
  /// they are, where many are out; infinite: every number of them is a step.
  double steps = 8;
  /// Where fewer crews than spares are all at work, steps of units until the job may wait for each
  /// that is counted as one with others: of 8 and more hours are within 0.1 % where a job waits
  /// 10^-4 of them, 2 % where it hardly waits.
  std::int64_t from_waiting = std::numeric_limits<std::int64_t>::max();
  /// Groups out beside which less than this share of the hours is waited are left out.
  double no_waits = 1e-9;
};

/// Hours waited for each that the job runs, were shortages over at once, so that units and groups
/// were out each by themselves: no less than there are.
double waits_at_once(const SparePool& pool);

/// Shortages of a pool that loses groups too, where units fail while the job runs only: from the
/// balance of all states (j units out, g groups out), those in which the job waits among them, so
/// that what a shortage leaves is what came back in it. Exact where recoveries take no time and no
/// more than eight groups find room; of more, those far from having none are counted in bundles,
/// and where hundreds are out at once so many units, and groups, are one step. docs/goodput.md
/// says how near that is. Units of a group that is out do not fail.
/// @param slower  what the repair times are divided by while the job runs
std::vector<Shortage> group_shortages(const SparePool& pool, double slower,
                                      const Fineness& fineness = {});

}  // namespace planner::reliability
