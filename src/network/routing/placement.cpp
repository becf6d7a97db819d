#include "planner/network/routing/placement.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "planner/core/real.hpp"

namespace planner::inline network {

double crossing_share(std::span<const std::int64_t> segment_hosts) {
  double hosts = 0;
  double within = 0;
  for (const std::int64_t segment : segment_hosts) {
    hosts += real(segment);
    within += real(segment) * (real(segment) - 1);
  }
  return hosts <= 1 ? 0 : 1 - within / (hosts * (hosts - 1));
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

std::vector<std::int64_t> spread(std::int64_t hosts, std::int64_t segments) {
  std::vector<std::int64_t> each(static_cast<std::size_t>(std::min(hosts, segments)));
  for (std::size_t i = 0; i < each.size(); ++i) {
    each[i] = hosts / segments + (static_cast<std::int64_t>(i) < hosts % segments ? 1 : 0);
  }
  return each;
}

std::vector<std::int64_t> split(std::span<const std::int64_t> larger, std::int64_t most) {
  std::vector<std::int64_t> segments;
  for (std::int64_t left : larger) {
    for (; left > 0; left -= std::min(left, most)) segments.push_back(std::min(left, most));
  }
  return segments;
}

std::int64_t unbroken_group(std::span<const std::int64_t> segments) {
  if (segments.size() == 1) return segments.front();
  std::int64_t divisor = 0;
  for (const std::int64_t segment : segments.first(segments.size() - 1)) {
    divisor = std::gcd(divisor, segment);
  }
  return divisor;
}

}  // namespace planner::network
