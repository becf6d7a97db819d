#include "planner/core/normal.hpp"

#include <boost/math/special_functions/erf.hpp>

namespace planner {

double normal_quantile(double share) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * share);
}

double normal_reach(double share) {
  return std::numbers::sqrt2 * boost::math::erf_inv(share);
}

}  // namespace planner
