#include "planner/network/clos/arithmetic.hpp"

#include <algorithm>
#include <numeric>

namespace planner::inline network {

std::optional<Whole> smallest_divisor(Whole n, Whole least) {
  const std::int64_t all = n.value(), from = least.value();
  if (all < 1 || from > all) return std::nullopt;
  std::int64_t found = all;
  for (std::int64_t i = 1; i <= all / i; ++i) {
    if (all % i != 0) continue;
    if (i >= from) return Whole{i};
    if (all / i >= from) found = all / i;
  }
  return Whole{found};
}

std::optional<ParallelGroups> fewest_parallel_groups(Whole members, Whole uplinks, Whole least) {
  const std::vector<std::int64_t> per_group = divisors(uplinks.value());
  std::optional<ParallelGroups> best;
  for (const std::int64_t groups : divisors(members.value())) {
    const auto found =
        std::lower_bound(per_group.begin(), per_group.end(), ceil_div(least, groups).value());
    if (found == per_group.end()) continue;
    const ParallelGroups candidate{.groups = groups, .per_group = *found};
    if (!best || candidate.switches() < best->switches()) best = candidate;
  }
  return best;
}

std::int64_t least_uplinks(Whole down, Whole leaves, Ratio ratio, std::int64_t port_gbps) {
  const Whole up = leaves * ratio.down * port_gbps;
  return ceil_div(down * ratio.up, std::max(Whole{1}, up)).value();
}

bool is_prime_power(std::int64_t n) {
  if (n < 2) return false;
  for (std::int64_t p = 2; p <= n / p; ++p) {
    if (n % p != 0) continue;
    while (n % p == 0) n /= p;
    return n == 1;
  }
  return true;
}

Ratio lowest_terms(Ratio ratio) {
  const std::int64_t common = std::gcd(ratio.down, ratio.up);
  if (common == 0) return ratio;
  return {.down = ratio.down / common, .up = ratio.up / common};
}

}  // namespace planner::network
