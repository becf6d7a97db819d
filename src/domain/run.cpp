#include "planner/domain/run.hpp"

#include <algorithm>
#include <numeric>

namespace planner {

std::string_view name_of(LinkLoad load) {
  switch (load) {
    case LinkLoad::balanced:
      return "balanced";
    case LinkLoad::all_at_once:
      return "all-at-once";
    case LinkLoad::routed:
      return "routed";
  }
  return "";
}

LinkLoad link_load(const Workload& workload) {
  if (workload.routing) return LinkLoad::routed;
  return workload.network_tiers.empty() ? LinkLoad::balanced : LinkLoad::all_at_once;
}

Bytes memory_limit(const Workload& workload) {
  const Accelerator& gpu = workload.system.accelerator;
  return workload.timing.calibrated() ? gpu.driver_memory.value_or(gpu.memory) : gpu.memory;
}

std::int64_t largest_divisor(std::int64_t n, std::int64_t limit) {
  if (n < 1 || limit < 1) return 1;
  // Above the root of n divisors come in the order of what they are multiplied by, below it as they
  // are.
  for (std::int64_t i = n / limit + (n % limit > 0 ? 1 : 0); i <= n / i; ++i) {
    if (n % i == 0) return n / i;
  }
  std::int64_t i = std::min(limit, n);
  if (i > n / i) i = n / i;
  while (n % i != 0) --i;
  return i;
}

std::int64_t usable_hb_domain(std::int64_t hb_domain, std::int64_t gpus) {
  const std::int64_t unit = std::gcd(hb_domain, 8);
  if (gpus % unit != 0) return largest_divisor(gpus, hb_domain);
  return unit * largest_divisor(gpus / unit, hb_domain / unit);
}

NetworkShares::NetworkShares(const Workload& workload)
    : tiers_(workload.network_tiers), routing_(workload.routing) {
  if (workload.storage_traffic > BytesPerSecond{}) {
    beside_storage_ = 1 - workload.storage_traffic / workload.system.network_bandwidth;
  }
}

double NetworkShares::of(const GroupFlows& groups) const {
  if (routing_) return beside_storage_ / routing_->slowdown(groups);
  double share = 1;
  for (const NetworkTier& tier : tiers_) {
    if (groups.period() > tier.gpus) share = std::min(share, tier.bandwidth_share);
  }
  return beside_storage_ * share;
}

}  // namespace planner
