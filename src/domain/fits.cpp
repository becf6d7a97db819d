#include "planner/domain/fits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner/core/normal.hpp"

namespace planner {

namespace {

double bias_of(bool measured) {
  return measured ? kMemoryBias : 0;
}
double spread_of(bool measured) {
  return measured ? kMemorySpread : kUnmeasuredMemorySpread;
}

}  // namespace

double fit_probability(Bytes predicted, Bytes capacity, bool measured) {
  if (!(predicted > Bytes{})) return 1;
  return normal_share_below((std::log(capacity / predicted) - bias_of(measured)) /
                            spread_of(measured));
}

Bytes memory_with_probability(double probability, Bytes capacity, bool measured) {
  return std::exp(-bias_of(measured) - spread_of(measured) * normal_quantile(probability)) *
         capacity;
}

FitRule::FitRule(Timing timing, Bytes capacity, double least, bool measured) : limit_(capacity) {
  if (timing == Timing::closed_form) {
    sure_ = even_ = beyond_ = Bytes{std::numeric_limits<double>::infinity()};
    return;
  }
  struct Shares {
    double sure, even, most;
  };
  const auto shares = [](bool known, double most) {
    return Shares{memory_with_probability(kSurely, Bytes{1}, known).si(),
                  memory_with_probability(kEvenChance, Bytes{1}, known).si(), most};
  };
  static const Shares kMeasured = shares(true, kRefusedBeyond);
  static const Shares kUnmeasured = shares(false, kUnmeasuredRefusedBeyond);
  const Shares& of = measured ? kMeasured : kUnmeasured;
  sure_ = of.sure * capacity;
  even_ = of.even * capacity;
  limit_ = of.most * capacity;
  beyond_ = kRefusedBeyond * capacity;
  if (least > 0) limit_ = std::min(limit_, memory_with_probability(least, capacity, measured));
}

double FitRule::least_as_sure(Bytes predicted) const {
  if (predicted <= sure_) return kSurely;
  if (predicted <= even_) return kEvenChance;
  const bool some_beyond = beyond_ < limit_;  // where no peak was measured
  if (!some_beyond || predicted > beyond_) return 0;
  return fit_probability(Bytes{kRefusedBeyond}, Bytes{1}, false);
}

}  // namespace planner
