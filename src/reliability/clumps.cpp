#include "planner/reliability/clumps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "planner/core/real.hpp"

namespace planner::inline reliability {

Clump clump(const SparePool& pool, double slower) {
  const double load = (pool.rate * pool.repair) / slower;
  if (pool.loses_groups() || load <= 0) return {};
  const double active = real(pool.active);
  constexpr double kNoShare = 1e-18;
  std::vector<double> weights{1};  // of all spares out, of one fewer …
  double all = 1;
  for (std::int64_t j = pool.spares; j > 0; --j) {
    const double fewer = std::min(real(j), pool.crews), lost = active + real(pool.spares - j + 1);
    weights.push_back(weights.back() * fewer / (lost * load));
    all += weights.back();
    if (weights.back() < kNoShare * all && fewer < lost * load) break;
  }
  double fewer_out = 0, shortages = 1;  // share of these states; shortages until the first
  for (std::size_t i = weights.size(); i-- > 1;) {
    fewer_out += weights[i] / all;
    shortages += fewer_out * fewer_out * active / ((active + real(i)) * weights[i]);
  }
  if (!(shortages > 1 && std::isfinite(shortages))) return {};
  const double losses = active * pool.rate.si();
  return {shortages, (shortages - 1) / (losses - losses / all)};
}

}  // namespace planner::reliability
