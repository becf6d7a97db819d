#pragma once

#include <cstdint>

#include "planner/network/routing/load_distribution.hpp"

// Equal flows that a hash puts on links, each on any of them alike and independent of the others.
namespace planner::inline network {

/// P(no link carries more than m of F flows on L links): the coefficient of x^F in
/// (Σ e^-μ·μ^i/i!·x^i, i ≤ m)^L over the Poisson probability of F, as an integral around the circle
/// through its saddle point λ, where the mean of a Poisson(λ) load cut off at m is F/L. The
/// trapezoidal rule is exact to about 1e-11 with some dozens of points: O(m). (Its leading term
/// alone is the saddle-point approximation, 0.8 % off.)
double max_load_cdf(std::int64_t flows, std::int64_t links, std::int64_t m);

/// Load of the fullest of L links over the mean F/L: exact up to kMostExactLoad flows per link, the
/// closed form beyond, which is within 0.1 % there.
LoadDistribution max_mean_ratio(std::int64_t flows, std::int64_t links);
inline constexpr std::int64_t kMostExactLoad = 64;

/// Load of the link that one given flow is on, over the mean: 1 + Bin(F-1, 1/L).
LoadDistribution tagged_load_ratio(std::int64_t flows, std::int64_t links);

}  // namespace planner::network
