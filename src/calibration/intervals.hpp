#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "planner/calibration/measured_prediction.hpp"

namespace planner {

/// How far one row was off when it was kept out of the fit.
struct KeptOutRow {
  const MeasuredRow* row = nullptr;
  double residual = 0;  ///< ln(measured/predicted)
  double weight = 1;    ///< as in the fit
};

/// Share of rows that an interval is to hold.
inline constexpr double kIntervalShare = 0.8;
/// Classes of fewer rows have no interval of their own.
inline constexpr std::size_t kSmallestClass = 20;
inline constexpr std::int64_t kFewestIntervalSources = 3;

/// Intervals of rows from sources that were kept out, and how they do on sources that are kept out
/// of the intervals too.
struct Intervals {
  std::vector<ResidualClass> classes;
  double held_dense = 0, held_moe = 0;  ///< weighted share of rows inside; 0: no rows
};

/// For dense models and mixtures of experts, any generation and each that has kSmallestClass rows:
/// weighted quantiles of the residuals, 10 and 90 % or so much further out that intervals taken
/// without a source hold kIntervalShare of the rows of that source, all sources together. Empty for
/// fewer than kFewestIntervalSources.
Intervals kept_out_intervals(const std::vector<KeptOutRow>& rows);

/// The class of a row: its generation's, else that of any generation. Null when there is none.
const ResidualClass* class_of(const std::vector<ResidualClass>& classes,
                              std::optional<Generation> generation, bool mixture_of_experts);

/// The value below which a share q of the weight lies, linear between the middles of neighbours.
double weighted_quantile(std::vector<std::pair<double, double>> values_and_weights, double q);

}  // namespace planner
