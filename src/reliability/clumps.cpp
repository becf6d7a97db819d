#include "planner/reliability/clumps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "planner/core/real.hpp"

namespace planner::inline reliability {

namespace {

/// Of the states of a pool's units, those with 0, 1 … spares free, as far as they are worth
/// counting.
std::vector<double> shares_of(const SparePool& pool, double slower) {
  constexpr double kNoShare = 1e-18;
  const double active = real(pool.active), load = (pool.rate * pool.repair) / slower;
  std::vector<double> shares{1};
  double all = 1;
  for (std::int64_t j = pool.spares; j > 0; --j) {
    const double fewer = std::min(real(j), pool.crews), lost = active + real(pool.spares - j + 1);
    shares.push_back(shares.back() * fewer / (lost * load));
    all += shares.back();
    if (shares.back() < kNoShare * all && fewer < lost * load) break;
  }
  for (double& share : shares) share /= all;
  return shares;
}

}  // namespace

Clump clump(const SparePool& pool, double slower, double others, double start) {
  if (pool.loses_groups() || pool.rate * pool.repair <= 0) return {};
  const double active = real(pool.active);
  const std::vector<double> shares = shares_of(pool, slower);
  const std::vector<double> begins = start < slower ? shares_of(pool, start) : shares;
  double fewer_out = 0, fewer_at_start = 0;  // shares of this state and those with fewer out
  double alone = 1;                          // shortages until the first
  double more = 0;                           // than in other times, after a start
  double free = 0;                           // spares, on average
  for (std::size_t i = std::max(shares.size(), begins.size()); i-- > 1;) {
    if (i < begins.size()) fewer_at_start += begins[i];
    if (i >= shares.size()) continue;
    fewer_out += shares[i];
    free += real(i) * shares[i];
    const double takes = fewer_out * active * shares[0] / ((active + real(i)) * shares[i]);
    alone += fewer_out * takes;
    more += (fewer_out - fewer_at_start) * takes;
  }
  const double losses = active * pool.rate.si(), often = losses * shares[0];
  const double repair = pool.repair.si() / slower;
  const double takes = often * repair * free / std::min(real(pool.spares + 1), pool.crews);
  const double variance = (2 * alone - 1) / (1 + others * takes), shortages = (variance + 1) / 2;
  const double at_start = begins[0] / shares[0];
  Clump found;
  if (shortages > 1 && std::isfinite(shortages)) {
    found.shortages = shortages;
    found.time = Seconds{(shortages - 1) / (losses - often)};
  }
  if (at_start > 1 && std::isfinite(at_start) && std::isfinite(more)) {
    found.at_start = at_start;
    found.settles = Seconds{std::max(0.0, more) / ((at_start - 1) * often)};
  }
  return found;
}

Pauses waits_left(double rate, double mean, const Clump& clump, double left) {
  return {.rate = PerSecond{left * rate},
          .each = Seconds{mean},
          .deviation = Seconds{mean},
          .per_clump = 1 + left * (clump.shortages - 1),
          .clump = clump.time,
          .at_start = clump.at_start,
          .settles = clump.settles};
}

}  // namespace planner::reliability
