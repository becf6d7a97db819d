#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/calibration/measured_prediction.hpp"

namespace planner::inline calibration {

/// How far the prediction of one row was off.
struct RowResidual {
  const MeasuredRow* row = nullptr;
  double residual = 0;  ///< ln(measured/predicted)
  double weight = 1;    ///< as in the fit
};
/// @param predictions  of the rows' times, in seconds
std::vector<RowResidual> residuals_of(const std::vector<const MeasuredRow*>& rows,
                                      const std::vector<double>& predictions);

/// Classes of fewer rows have no interval of their own.
inline constexpr std::size_t kSmallestClass = 20;
inline constexpr std::int64_t kFewestIntervalSources = 3;

/// How many rows intervals hold.
struct Coverage {
  std::int64_t rows = 0;  ///< that have an interval
  double held = 0;        ///< share of their weight inside, 0 to 1

  bool operator==(const Coverage&) const = default;
};

/// Of rows in their order, whether each lies inside its interval; nothing where it has none.
using Inside = std::vector<std::optional<bool>>;

/// Of all rows, some kinds of them, and each source that has rows with an interval.
struct CoverageByKind {
  Coverage all, dense, moe, core, moe_core;
  std::map<std::string, Coverage> by_source{};
};
CoverageByKind coverage_by_kind(const std::vector<RowResidual>& rows, const Inside& inside);

/// Intervals of rows from sources that were kept out, and how they do on sources that are kept out
/// of the intervals too.
struct Intervals {
  std::vector<ResidualClass> classes;
  Coverage dense, moe;
  Inside inside;  ///< of the rows
};

/// For dense models and mixtures of experts, any generation and each that has kSmallestClass rows:
/// weighted quantiles of the residuals, 10 and 90 % or so much further out that intervals taken
/// without a source hold kIntervalShare of the rows of that source, all sources together. Empty for
/// fewer than kFewestIntervalSources.
Intervals kept_out_intervals(const std::vector<RowResidual>& rows);

/// How the intervals that plans would show do on rows.
Inside inside_intervals(const std::vector<RowResidual>& rows, const CalibrationPtr& calibration);

/// The value below which a share q of the weight lies, linear between the middles of neighbours.
double weighted_quantile(std::vector<std::pair<double, double>> values_and_weights, double q);

}  // namespace planner::calibration
