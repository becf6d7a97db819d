#include "planner/reliability/fixed_point.hpp"

#include <cmath>

namespace planner::inline reliability {

SlopeAt fixed_point(double low, double high, SlopeAt from, double found,
                    const std::function<double(double)>& of, double close) {
  constexpr int kTries = 100;
  auto [at, slope] = from;
  double before = 0, off_before = 0;
  for (int i = 0; i < kTries; ++i) {
    const double off = found - at;
    if (i > 0 && off != off_before) slope = 1 + (off - off_before) / (at - before);
    if (std::abs(off) <= close * at) break;
    (off > 0 ? low : high) = at;
    before = at;
    off_before = off;
    const double next = at + off / (1 - slope);
    at = next > low && next < high ? next : (low + high) / 2;
    found = of(at);
  }
  return {at, slope};
}

}  // namespace planner::reliability
