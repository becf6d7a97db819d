#include "planner/reliability/gamma.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "planner/core/normal.hpp"

namespace planner::inline reliability {

namespace {

/// Beyond this shape the distribution is normal in its cube root to nine digits (Wilson and
/// Hilferty 1931), and the library's series would need more terms than it allows.
constexpr double kLargeShape = 1e6;

double wilson_hilferty(double shape, double p) {
  const double z = normal_quantile(p);
  const double root = 1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape));
  return shape * std::pow(std::max(root, 0.0), 3);
}

}  // namespace

double gamma_quantile(double shape, double p) {
  return shape > kLargeShape ? wilson_hilferty(shape, p) : boost::math::gamma_p_inv(shape, p);
}

}  // namespace planner::reliability
