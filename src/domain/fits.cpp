#include "planner/domain/fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace planner {

namespace {

double normal_share_below(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

/// The z with normal_share_below(z) = share, by bisection: exact to the last bits, and called a few
/// times a search.
double normal_quantile(double share) {
  double low = -40, high = 40;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (normal_share_below(middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double fit_probability(Bytes predicted, Bytes capacity) {
  if (!(predicted > Bytes{})) return 1;
  return normal_share_below((std::log(capacity / predicted) - kMemoryBias) / kMemorySpread);
}

Bytes memory_with_probability(double probability, Bytes capacity) {
  return std::exp(-kMemoryBias - kMemorySpread * normal_quantile(probability)) * capacity;
}

FitRule::FitRule(Timing timing, Bytes capacity, double least) : limit_(capacity) {
  if (timing == Timing::closed_form) {
    sure_ = even_ = Bytes{std::numeric_limits<double>::infinity()};
    return;
  }
  static const double kSure = memory_with_probability(kSurely, Bytes{1}).si();
  static const double kEven = memory_with_probability(kEvenChance, Bytes{1}).si();
  sure_ = kSure * capacity;
  even_ = kEven * capacity;
  limit_ = kRefusedBeyond * capacity;
  if (least > 0) limit_ = std::min(limit_, memory_with_probability(least, capacity));
}

}  // namespace planner
