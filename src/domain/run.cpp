#include "planner/domain/run.hpp"

#include <algorithm>

namespace planner {

Bytes memory_limit(const Workload& workload) {
  const Accelerator& gpu = workload.system.accelerator;
  return workload.calibration ? gpu.driver_memory.value_or(gpu.memory) : gpu.memory;
}

std::int64_t usable_hb_domain(std::int64_t hb_domain, std::int64_t gpus) {
  std::int64_t largest = 1;
  for (std::int64_t i = 1; i <= gpus / i; ++i) {
    if (gpus % i != 0) continue;
    if (i <= hb_domain) largest = std::max(largest, i);
    if (gpus / i <= hb_domain) largest = std::max(largest, gpus / i);
  }
  return largest;
}

NetworkShares::NetworkShares(const Workload& workload)
    : tiers_(workload.network_tiers), routing_(workload.routing) {
  if (workload.storage_traffic > BytesPerSecond{}) {
    beside_storage_ = 1 - workload.storage_traffic / workload.system.network_bandwidth;
  }
}

double NetworkShares::of(TrafficPattern pattern, std::int64_t gpus) const {
  if (routing_) return beside_storage_ / routing_->slowdown(pattern, gpus);
  double share = 1;
  for (const NetworkTier& tier : tiers_) {
    if (gpus > tier.gpus) share = std::min(share, tier.bandwidth_share);
  }
  return beside_storage_ * share;
}

}  // namespace planner
