#pragma once

#include <cstdint>

#include "planner/domain/reliability.hpp"

// Whether the nodes kept ready suffice. n: all nodes of a pool, spares included; each fails on its
// own, with exponential times between failures.
namespace planner::inline reliability {

/// P(X <= k) of a binomial distribution of n trials with probability p.
double binomial_cdf(std::int64_t k, std::int64_t n, double p);

/// P(at most `spares` of n nodes fail within T), nothing being repaired: X ~ Bin(n, 1 -
/// e^(-rate·T)).
double spares_suffice(std::int64_t n, std::int64_t spares, PerSecond rate, Seconds T);

/// P(at most `spares` of n nodes are out) in the steady state, each repaired in `repair` on
/// average, at most `crews` at once; while the job waits, nothing more fails: the birth-death chain
/// of the number of nodes that are out, 0 to spares + 1.
double spares_suffice_with_repair(std::int64_t n, std::int64_t spares, PerSecond rate,
                                  Seconds repair, std::int64_t crews);

/// The fewest spares beside `active` nodes with which P(they suffice for T) >= confidence.
std::int64_t spares_needed(std::int64_t active, PerSecond rate, Seconds T, double confidence);

/// What the failure of a node of the job finds that needs a spare.
struct SpareOutlook {
  double p_ok = 1;         ///< the spares of every pool suffice: share of time, or of visits
  double p_wait = 0;       ///< the failure finds none
  Seconds wait{};          ///< then, on average
  Seconds wait_squared{};  ///< square root of the mean square of that wait

  [[nodiscard]] Seconds mean_wait() const { return p_wait * wait; }
};

/// Spares that are idle fail as well. With several pools the nodes of the job are dealt out over
/// them as evenly as they divide, and the first pool that is short of one makes the job wait.
/// @param active  nodes of the job
/// @param rate  of failures of one node that need a spare
SpareOutlook spare_outlook(const SparePolicy& policy, std::int64_t active, PerSecond rate);

}  // namespace planner::reliability
