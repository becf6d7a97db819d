#include "planner/network/routing/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "planner/core/normal.hpp"
#include "planner/core/real.hpp"

namespace planner::inline network {

namespace {

// The normal variable on a grid. The trapezoidal rule converges faster than any power of the step
// here: 0.05 is exact to rounding even for the maximum of 10^12.
constexpr double kLowest = -9;
constexpr double kStep = 0.05;
constexpr int kPoints = 421;

double log_normal_cdf(double z) {
  return std::log1p(-normal_share_below(-z));
}

double normal_density(double z) {
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}

}  // namespace

NormalMaximum normal_maximum(std::int64_t n) {
  NormalMaximum moments{.mean = 0, .second_moment = 0};
  for (int i = 0; i < kPoints; ++i) {
    const double z = kLowest + kStep * i;
    const double below = n == 1 ? 0 : real(n - 1) * log_normal_cdf(z);
    const double mass = kStep * real(n) * normal_density(z) * std::exp(below);
    moments.mean += mass * z;
    moments.second_moment += mass * z * z;
  }
  return moments;
}

LinkSpread equal_flows(double flows, double links) {
  return {.deviation = std::sqrt(links / flows), .skew = links / (6 * flows)};
}

LinkSpread unequal_flows(std::span<const double> sizes, double times, double links) {
  double sum = 0;
  double squares = 0;
  double cubes = 0;
  for (const double size : sizes) {
    sum += size;
    squares += size * size;
    cubes += size * size * size;
  }
  return {.deviation = std::sqrt(links * squares / times) / sum,
          .skew = cubes / squares * links / (6 * times * sum)};
}

double closed_form_max_mean_ratio(LinkSpread spread, std::int64_t links) {
  if (links == 1) return 1;
  const NormalMaximum e = normal_maximum(links);
  return 1 + e.mean * spread.deviation + (e.second_moment - 1) * spread.skew;
}

LoadDistribution closed_form_maximum(LinkSpread spread, std::int64_t links) {
  if (links == 1) return LoadDistribution::always(1);
  const NormalMaximum e = normal_maximum(links);
  const double narrowed = std::sqrt(std::max(0.0, e.variance() - 1 / real(links)) / e.variance());
  // Below its vertex the parabola would rise again.
  const double turn = spread.skew > 0 ? -spread.deviation / (2 * spread.skew)
                                      : -std::numeric_limits<double>::infinity();
  const auto ratio = [&](double z) {
    const double shrunk = std::max(e.mean + (z - e.mean) * narrowed, turn);
    return 1 + shrunk * spread.deviation + (shrunk * shrunk - 1) * spread.skew;
  };
  std::vector<LoadDistribution::Step> steps;
  for (int i = 0; i < kPoints; ++i) {
    const double z = kLowest + kStep * i;
    // Each step holds the probability around its value.
    const double cdf = std::exp(real(links) * log_normal_cdf(z + kStep / 2));
    const double value = std::max(ratio(z), steps.empty() ? 1.0 : steps.back().value);
    if (!steps.empty() && steps.back().value == value) {
      steps.back().cdf = cdf;
    } else {
      steps.push_back({value, cdf});
    }
  }
  steps.back().cdf = 1;
  return LoadDistribution(std::move(steps));
}

}  // namespace planner::network
