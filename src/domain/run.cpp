#include "planner/domain/run.hpp"

#include <algorithm>

namespace planner {

std::int64_t usable_hb_domain(std::int64_t hb_domain, std::int64_t gpus) {
  std::int64_t largest = 1;
  for (std::int64_t i = 1; i <= gpus / i; ++i) {
    if (gpus % i != 0) continue;
    if (i <= hb_domain) largest = std::max(largest, i);
    if (gpus / i <= hb_domain) largest = std::max(largest, gpus / i);
  }
  return largest;
}

double bandwidth_share(const std::vector<NetworkTier>& tiers, std::int64_t gpus) {
  double share = 1;
  for (const NetworkTier& tier : tiers) {
    if (gpus > tier.gpus) share = std::min(share, tier.bandwidth_share);
  }
  return share;
}

}  // namespace planner
