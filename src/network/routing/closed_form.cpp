#include "planner/network/routing/closed_form.hpp"

#include <algorithm>
#include <array>
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

/// A function of the normal variable at each point of the grid, or off it by as much.
std::array<double, kPoints> on_grid(double (*of)(double), double off) {
  std::array<double, kPoints> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = of(kLowest + kStep * static_cast<double>(i) + off);
  }
  return values;
}

}  // namespace

NormalMaximum normal_maximum(std::int64_t n) {
  static const auto log_cdf = on_grid(log_normal_cdf, 0), density = on_grid(normal_density, 0);
  NormalMaximum moments{.mean = 0, .second_moment = 0};
  for (std::size_t i = 0; i < log_cdf.size(); ++i) {
    const double z = kLowest + kStep * static_cast<double>(i);
    const double below = n == 1 ? 0 : real(n - 1) * log_cdf[i];
    const double mass = kStep * real(n) * density[i] * std::exp(below);
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
  // Each step holds the probability around its value.
  static const auto log_cdf = on_grid(log_normal_cdf, kStep / 2);
  std::vector<LoadDistribution::Step> steps;
  for (std::size_t i = 0; i < log_cdf.size(); ++i) {
    const double z = kLowest + kStep * static_cast<double>(i);
    const double cdf = std::exp(real(links) * log_cdf[i]);
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
