#include "planner/reliability/degraded.hpp"

#include <cmath>

namespace planner::inline reliability {

double part_out_share(PerSecond rate, Seconds repair) {
  return -std::expm1(-(rate * repair));
}

double mean_speed(PerSecond rate, Seconds repair, double speed) {
  return 1 - (1 - speed) * part_out_share(rate, repair);
}

PerSecond pair_losses(double pairs, PerSecond rate, Seconds repair) {
  const double out = rate * repair;
  return 2 * pairs * out / (1 + out) * rate;
}

double shrunk_speed(PerSecond losses, Seconds repair, std::int64_t dp) {
  const double mean = losses * repair;
  if (mean <= 0) return 1;
  double speed = 0;
  for (std::int64_t j = 0; j < dp; ++j) {
    const double k = real(j);
    speed += (1 - k / real(dp)) * std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
  }
  return speed;
}

}  // namespace planner::reliability
