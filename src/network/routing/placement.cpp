#include "planner/network/routing/placement.hpp"

#include <algorithm>
#include <functional>

#include "planner/core/real.hpp"

namespace planner {

double crossing_share(std::span<const std::int64_t> segment_hosts) {
  double hosts = 0;
  double within = 0;
  for (const std::int64_t segment : segment_hosts) {
    hosts += real(segment);
    within += real(segment) * (real(segment) - 1);
  }
  return hosts <= 1 ? 0 : 1 - within / (hosts * (hosts - 1));
}

double crossing_share(std::int64_t hosts, std::int64_t size) {
  if (hosts <= std::max<std::int64_t>(size, 1)) return 0;
  const double full = real(hosts / size);
  const double rest = real(hosts % size);
  const double within = full * real(size) * real(size - 1) + std::max(0.0, rest * (rest - 1));
  return 1 - within / (real(hosts) * real(hosts - 1));
}

std::int64_t ring_cut(std::span<const std::int64_t> segment_hosts) {
  const auto used = std::count_if(segment_hosts.begin(), segment_hosts.end(),
                                  [](std::int64_t hosts) { return hosts > 0; });
  return used > 1 ? used : 0;
}

std::vector<std::int64_t> minimum_cut(std::vector<std::int64_t> free_hosts, std::int64_t hosts) {
  std::sort(free_hosts.begin(), free_hosts.end(), std::greater<>());
  std::vector<std::int64_t> taken;
  for (const std::int64_t available : free_hosts) {
    const std::int64_t take = std::min(available, hosts);
    if (take <= 0) break;
    taken.push_back(take);
    hosts -= take;
  }
  return taken;
}

}  // namespace planner
