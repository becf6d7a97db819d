#include "planner/reliability/clumps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "planner/core/real.hpp"

namespace planner::inline reliability {

Clump clump(const SparePool& pool, double slower, double others) {
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
  double fewer_out = 0, alone = 1;  // share of these states; shortages until the first
  double free = 0;                  // spares, on average
  for (std::size_t i = weights.size(); i-- > 1;) {
    fewer_out += weights[i] / all;
    alone += fewer_out * fewer_out * active / ((active + real(i)) * weights[i]);
    free += real(i) * weights[i] / all;
  }
  const double losses = active * pool.rate.si(), often = losses / all;
  const double repair = pool.repair.si() / slower;
  const double takes = often * repair * free / std::min(real(pool.spares + 1), pool.crews);
  const double variance = (2 * alone - 1) / (1 + others * takes), shortages = (variance + 1) / 2;
  if (!(shortages > 1 && std::isfinite(shortages))) return {};
  return {.shortages = shortages, .time = Seconds{(shortages - 1) / (losses - often)}};
}

}  // namespace planner::reliability
