#include "planner/calibration/error_summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/core/real.hpp"

namespace planner::inline calibration {

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

ErrorSummary summarise(const std::vector<double>& errors) {
  if (errors.empty()) return {};
  std::vector<double> sizes;
  sizes.reserve(errors.size());
  for (const double error : errors) sizes.push_back(std::abs(error));
  const auto count = static_cast<std::int64_t>(sizes.size());
  return {.count = count,
          .median = quantile(sizes, 0.5),
          .mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / real(count),
          .p90 = quantile(sizes, 0.9),
          .max = *std::max_element(sizes.begin(), sizes.end()),
          .bias = quantile(errors, 0.5)};
}

}  // namespace planner::calibration
