#include "planner/reliability/checkpoint.hpp"

#include <algorithm>
#include <cmath>

namespace planner::inline reliability {

Seconds optimal_interval(Seconds d, Seconds M) {
  // W0 itself loses its digits near its branch point. y = tau/M is the root of
  // y + ln(1 - y) = -d/M, which is y²/2 + y³/3 + … = d/M.
  const double share = d / M;
  const double p = std::sqrt(2 * share);
  if (p < 1e-3) return M * (p - p * p / 3 + p * p * p / 36 + p * p * p * p / 270);
  if (share > 30) return M;  // y is 1 - e^(-1-share)
  double y = share < 1 ? p - p * p / 3 + p * p * p / 36 : 1 - std::exp(-1 - share);
  for (int i = 0; i < 50; ++i) {
    const double step = (y + std::log1p(-y) + share) * (1 - y) / y;  // Newton's
    y += step;
    if (std::abs(step) <= 1e-15 * y) break;
  }
  return M * y;
}

Seconds young_interval(Seconds d, Seconds M) {
  return Seconds{std::sqrt(2 * d.si() * M.si())};
}

Seconds daly_interval(Seconds d, Seconds M) {
  if (d >= 2 * M) return M;
  const double x = d / (2 * M);
  return young_interval(d, M) * (1 + std::sqrt(x) / 3 + x / 9) - d;
}

double completed_share(double x) {
  if (x < 1e-8) return 1 - x / 2;
  return x / std::expm1(x);
}

CheckpointTimes checkpoint_times(Bytes size, BytesPerSecond rate, std::optional<Seconds> stall,
                                 std::optional<bool> synchronous) {
  const Seconds writing = size / rate;
  const bool aside = !synchronous.value_or(!stall || *stall >= writing);
  if (!aside) return {.stall = std::max(stall.value_or(Seconds{}), writing)};
  const Seconds given = stall.value_or(Seconds{});
  return {.stall = given, .durable = std::max(Seconds{}, writing - given), .asynchronous = true};
}

}  // namespace planner::reliability
