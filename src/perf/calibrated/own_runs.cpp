#include "planner/perf/calibrated/own_runs.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

constexpr double kNormal90 = 1.2816;  // 90 % quantile of the standard normal distribution

/// Of an even number of values the middle of the two.
double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

UsualLevel usual_level(const MissedRuns& outside) {
  return {.middle = (outside.low + outside.high) / 2,
          .spread = {.between = (outside.high - outside.low) / 2 / kNormal90,
                     .within = kMoeSpread.within,
                     .degrees = kMoeSpread.degrees}};
}

OwnLevel own_level(const std::vector<double>& residuals, const UsualLevel& usual) {
  const auto [between, usual_within, degrees] = usual.spread;
  const double n = real(std::ssize(residuals));
  const double median = median_of(residuals);
  double squares = 0;
  for (const double r : residuals) squares += (r - median) * (r - median);
  const double within_squared =
      (degrees * usual_within * usual_within + squares) / (degrees + n - 1);
  const double between_squared = between * between;
  const double of_level = 1 / (n / within_squared + 1 / between_squared);
  const double level = of_level * (n * median / within_squared + usual.middle / between_squared);
  const double half = kNormal90 * std::sqrt(within_squared + of_level);
  // A tenth of the runs may lie beyond each end: of fewer than ten none.
  std::vector<double> sorted = residuals;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t beyond = sorted.size() / 10;
  return {.factor = std::exp(level),
          .low = std::min(-half, sorted[beyond] - level),
          .high = std::max(half, sorted[sorted.size() - 1 - beyond] - level)};
}

}  // namespace planner::perf
