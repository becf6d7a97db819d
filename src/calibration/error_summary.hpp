#pragma once

#include <cstdint>
#include <vector>

namespace planner::inline calibration {

/// How far predictions lie from measurements. Relative errors: 0.05 is 5 %.
struct ErrorSummary {
  std::int64_t count = 0;
  double median = 0, mean = 0, p90 = 0, max = 0;  ///< of |predicted/measured - 1|
  double bias = 0;                                ///< median of predicted/measured - 1

  bool operator==(const ErrorSummary&) const = default;
};

/// The value below which a share q of the sorted values lies, interpolated linearly between
/// neighbours (type 7 of Hyndman and Fan 1996, the default of R and NumPy). 0 for no values.
double quantile(std::vector<double> values, double q);

/// @param errors  predicted/measured - 1
ErrorSummary summarise(const std::vector<double>& errors);

}  // namespace planner::calibration
