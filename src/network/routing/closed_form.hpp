#pragma once

#include <cstdint>
#include <span>

#include "planner/network/routing/load_distribution.hpp"

// The fullest of L links by the largest of L normal variables. Errors of the mean against the exact
// one on 16 links: +4.3 % at half a flow per link, +2.9 % at 1, +0.7 % at 4, 0.1 % from 16 on; on
// 64 links up to twice as much.
namespace planner::inline network {

/// First and second moment of the largest of n standard normal variables.
struct NormalMaximum {
  double mean = 0;           ///< e_n
  double second_moment = 1;  ///< e2_n

  [[nodiscard]] double variance() const { return second_moment - mean * mean; }
};

NormalMaximum normal_maximum(std::int64_t n);

/// Spread and skewness of the load of one link, as a multiple of its mean:
///   load / mean = 1 + z·deviation + (z² - 1)·skew      (Cornish–Fisher)
struct LinkSpread {
  double deviation = 0;
  double skew = 0;
};

/// F flows of one size on L links: deviation √(L/F), skew L/(6F).
LinkSpread equal_flows(double flows, double links);
/// Flows of the sizes w, repeated `times`: √(L/F_eff) with F_eff = (Σw)²/Σw², and
/// (Σw³/Σw²)·L/(6·Σw).
LinkSpread unequal_flows(std::span<const double> sizes, double times, double links);

/// E[max/mean] = 1 + e_L·deviation + (e2_L - 1)·skew. The covariance -mean/L of multinomial loads
/// shifts every link alike, and so cancels.
double closed_form_max_mean_ratio(LinkSpread spread, std::int64_t links);

/// The distribution behind it. The covariance narrows the maximum's variance v to v - 1/L.
LoadDistribution closed_form_maximum(LinkSpread spread, std::int64_t links);

}  // namespace planner::network
