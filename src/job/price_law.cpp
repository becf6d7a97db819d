#include "planner/job/price_law.hpp"

#include <algorithm>

namespace planner::job {

LogSpread spread_of(const Estimate<double>& factor) {
  constexpr double kLeastFactor = 1e-6;  // a price that may be nothing
  return log_spread({std::max(kLeastFactor, factor.low), 1, std::max(1.0, factor.high)});
}

Estimate<Usd> range_of(const SumLaw& law, Usd expected) {
  return {std::min(expected, law.quantile(kLowShare) * units::usd), expected,
          std::max(expected, law.quantile(kHighShare) * units::usd)};
}

}  // namespace planner::job
