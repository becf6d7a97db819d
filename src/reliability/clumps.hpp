#pragma once

#include "planner/reliability/spares.hpp"

namespace planner::inline reliability {

/// Shortages that come soon after one another, as all spares are still out after the first; and
/// those that a run meets at first, as it begins with more out than there usually are.
struct Clump {
  double shortages = 1;  ///< the mean of a geometric number
  Seconds time{};        ///< in which units fail
  double at_start = 1;   ///< times as often where a run begins
  Seconds settles{};     ///< in which units fail, until that is over
};

/// Clumps of a pool's shortages, which begin at the rate at which the first is met from a state met
/// at any time (Aldous, Probability Approximations via the Poisson Clumping Heuristic, 1989). With
/// the shares π of the states of a birth-death chain, their sums C from the fewest units out and
/// losses λ that time is Σ C(j)²/(λ(j)·π(j)). Each shortage of one unit leaves as many out, S: they
/// are a renewal process, and this number in each clump gives it the variance that it has in long
/// times (Cox, Renewal Theory, 1962). In short ones it has that too if the rate of others falls
/// exponentially after one, from λ(S) to that of all, which is how long a clump takes.
///
/// A wait for another pool brings units back in this one too. A unit fewer out takes r·C(j)/(λ(j)·
/// π(j)) from the shortages to come, r their rate, so that by detailed balance a wait takes b =
/// r·ρ·E[S - j]/(S + 1) from each other pool (ρ while the job runs; of fewer crews so many for S +
/// 1). Of N shortages of a pool by itself N/(1 + (n - 1)·b) are left among n, whose variance, by
/// their mean, is as much less: an approximation.
///
/// A run begins with the states' shares as of recoveries that take no time, with sums C₀: at a rate
/// r₀ of shortages, and in long times with Σ (C(j) - C₀(j))·r·C(j)/(λ(j)·π(j)) of them more than
/// from the states of all times. In short ones it has these too if the rate falls exponentially
/// from r₀ to r. Shortages of pools that lose groups count one by one, from what is usually out.
/// @param slower  what the repair times are divided by while the job runs
/// @param others  pools whose waits bring units back here, as a share of their shortages
/// @param start  what they would be divided by if recoveries took no time
Clump clump(const SparePool& pool, double slower, double others, double start);

/// What recoveries leave of the waits of shortages that come in clumps: a share of each. A
/// geometric number of which each stays with that chance is geometric.
/// @param rate, mean  of shortages, by the second
Pauses waits_left(double rate, double mean, const Clump& clump, double left);

}  // namespace planner::reliability
