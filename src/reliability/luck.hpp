#pragma once

#include <vector>

#include "planner/core/quantity.hpp"

// What the luck of a run adds to its time: losses that are many add up to a gamma distribution, but
// of a few large ones a run meets none, or one, or two.
namespace planner::inline reliability {

/// Losses of one kind, which a run meets independently of all others: a Poisson number of them.
struct RunLosses {
  double expected = 0;  ///< of the run
  Seconds each{};       ///< mean
  Seconds deviation{};  ///< of one
};

/// A run that meets some number of the losses that are rare: what all losses then add, gamma
/// distributed.
struct LuckCase {
  double weight = 1;  ///< chance of it; those of all cases sum to 1
  Seconds mean{}, deviation{};
};

/// Losses that are few and weigh most, up to two kinds of them by size, are counted out: a run
/// meets 0, 1, 2 to 3, 4 to 6, 7 to 10, … of each by Poisson's law. All else is in every case. One
/// case where nothing is rare. Mean and variance over all cases are those that are given.
/// @param mean, deviation  of all that losses add
/// @param kinds  losses in it
std::vector<LuckCase> luck_cases(Seconds mean, Seconds deviation,
                                 const std::vector<RunLosses>& kinds);

/// P(what is added <= time), the gamma distribution as normal in its cube root (Wilson and Hilferty
/// 1931).
double share_within(const std::vector<LuckCase>& cases, Seconds time);

/// What a share p of all runs adds at most, 0 < p < 1.
Seconds luck_quantile(const std::vector<LuckCase>& cases, double p);

/// The same of one case, z standard deviations from the middle of its cube root.
Seconds luck_at(const LuckCase& one, double z);

}  // namespace planner::reliability
