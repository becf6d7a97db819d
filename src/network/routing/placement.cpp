#include "planner/network/routing/placement.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

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

std::vector<std::int64_t> level_cut(std::vector<std::int64_t> free_hosts, std::int64_t hosts) {
  std::vector<std::int64_t> taken = minimum_cut(free_hosts, hosts);
  std::sort(free_hosts.begin(), free_hosts.end(), std::greater<>());
  // The smallest zone gets its even part of what is left if it has that.
  for (std::size_t left = taken.size(); left > 0; --left) {
    taken[left - 1] = std::min(free_hosts[left - 1], hosts / static_cast<std::int64_t>(left));
    hosts -= taken[left - 1];
  }
  return taken;
}

namespace {

/// All of the zones but one full, which takes what is left over; nothing where it has not so much,
/// or nothing is left.
std::optional<std::vector<std::int64_t>> rest_in(std::vector<std::int64_t> zones, std::size_t one,
                                                 std::int64_t gpus) {
  const std::int64_t others =
      std::accumulate(zones.begin(), zones.end(), std::int64_t{0}) - zones[one];
  if (others >= gpus || gpus - others > zones[one]) return std::nullopt;
  zones[one] = gpus - others;
  std::sort(zones.begin(), zones.end(), std::greater<>());
  return zones;
}

class Ways {
 public:
  Ways(std::vector<std::int64_t> free, std::int64_t gpus) : free_(std::move(free)), gpus_(gpus) {
    std::sort(free_.begin(), free_.end(), std::greater<>());
    add(minimum_cut(free_, gpus), 1);
  }

  void add_blocks_of(std::int64_t block) {
    std::vector<std::int64_t> free = free_;
    for (std::int64_t& one : free) one /= block;
    const std::int64_t blocks = gpus_ / block;
    if (gpus_ % block != 0 || std::accumulate(free.begin(), free.end(), std::int64_t{0}) < blocks) {
      return;
    }
    add(minimum_cut(free, blocks), block);
    add(level_cut(free, blocks), block);
    for (std::int64_t& one : free) one = std::min<std::int64_t>(one, 1);
    const auto zones = std::accumulate(free.begin(), free.end(), std::int64_t{0});
    if (zones >= blocks) add(minimum_cut(std::move(free), blocks), block);
  }

  /// As few zones as possible, all but one of them full; and with another zone in the place of any.
  void add_full_zones() {
    const std::size_t few = ways_.front().size();
    const std::vector<std::int64_t> largest(free_.begin(),
                                            free_.begin() + static_cast<std::ptrdiff_t>(few));
    for (std::size_t one = 0; one < few; ++one) add_rest_in(largest, one);
    if (few == free_.size()) return;
    for (std::size_t out = 0; out < few; ++out) {
      std::vector<std::int64_t> zones = largest;
      zones[out] = free_[few];
      for (std::size_t one = 0; one < few; ++one) add_rest_in(zones, one);
    }
  }

  std::vector<std::vector<std::int64_t>> all() && { return std::move(ways_); }

 private:
  void add_rest_in(std::vector<std::int64_t> zones, std::size_t one) {
    if (auto way = rest_in(std::move(zones), one, gpus_)) add(*std::move(way), 1);
  }

  void add(std::vector<std::int64_t> blocks, std::int64_t block) {
    for (std::int64_t& one : blocks) one *= block;
    if (std::find(ways_.begin(), ways_.end(), blocks) == ways_.end()) {
      ways_.push_back(std::move(blocks));
    }
  }

  std::vector<std::int64_t> free_;
  std::int64_t gpus_;
  std::vector<std::vector<std::int64_t>> ways_;
};

}  // namespace

std::vector<std::vector<std::int64_t>> ways_to_place(const std::vector<std::int64_t>& free_gpus,
                                                     std::int64_t gpus, std::int64_t node) {
  Ways ways(free_gpus, gpus);
  for (const std::int64_t blocks : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    if (gpus % (blocks * node) == 0) ways.add_blocks_of(gpus / blocks);
  }
  ways.add_blocks_of(node);
  ways.add_full_zones();
  return std::move(ways).all();
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
