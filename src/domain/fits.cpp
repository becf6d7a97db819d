#include "planner/domain/fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/core/normal.hpp"

namespace planner {

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
