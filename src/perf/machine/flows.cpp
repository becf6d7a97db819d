#include "planner/perf/machine/flows.hpp"

#include <algorithm>
#include <numeric>

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

/// Of the GPUs p … q - 1 of one period, the n·σ GPUs that σ groups fill between them.
double out_of_part(const Flows& flows, std::int64_t p, std::int64_t q) {
  const auto [kind, stride, n] = flows;
  if (kind == Flows::Kind::ring) {
    const std::int64_t touched = std::min(stride, q - p);
    const std::int64_t whole =
        std::max<std::int64_t>(0, std::min(stride, q - (n - 1) * stride) - std::min(p, stride));
    return real(touched - whole);
  }
  // Of e groups one rank more is inside than of the other σ - e.
  const double inside = real((q - p) / stride), more = real((q - p) % stride);
  const double pairs = more * (inside + 1) * (real(n) - inside - 1) +
                       (real(stride) - more) * inside * (real(n) - inside);
  return pairs / real(n - 1);
}

/// Every unit alike.
bool aligned(const Flows& flows, std::int64_t unit) {
  const std::int64_t stride = flows.stride, period = stride * flows.ranks;
  return (unit % stride == 0 || stride % unit == 0) && (period % unit == 0 || unit % period == 0);
}

}  // namespace

double flows_out(const Flows& flows, std::int64_t first, std::int64_t last) {
  if (flows.ranks < 2) return 0;
  const std::int64_t period = flows.stride * flows.ranks;
  const std::int64_t p = first % period, q = last % period;
  if (first / period == (last - 1) / period) return out_of_part(flows, p, p + last - first);
  return (p > 0 ? out_of_part(flows, p, period) : 0) + (q > 0 ? out_of_part(flows, 0, q) : 0);
}

double busiest_flows_out(const Flows& flows, std::int64_t unit) {
  if (flows.ranks < 2) return 0;
  const std::int64_t period = flows.stride * flows.ranks;
  if (aligned(flows, unit)) return unit >= period ? 0 : flows_out(flows, 0, unit);
  // Units start at multiples of their common divisor with the period. In a long period all that
  // do not reach into the next one are alike.
  const std::int64_t step = std::gcd(unit, period);
  double busiest = flows_out(flows, 0, unit);
  for (std::int64_t at = std::max<std::int64_t>(0, (period - unit) / step * step); at < period;
       at += step) {
    busiest = std::max(busiest, flows_out(flows, at, at + unit));
  }
  if (period >= 2 * unit) return busiest;
  for (std::int64_t at = step; at < period; at += step) {
    busiest = std::max(busiest, flows_out(flows, at, at + unit));
  }
  return busiest;
}

}  // namespace planner::perf
