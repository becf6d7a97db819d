#include "planner/design/levels.hpp"

#include <algorithm>

namespace planner::design {

std::vector<NetworkTier> told_apart(std::span<const NetworkTier> tiers, std::int64_t used,
                                    std::int64_t as_one) {
  std::vector<NetworkTier> told;
  for (const NetworkTier& tier : tiers) {
    if (tier.gpus >= used) continue;
    const std::int64_t parts = tier.gpus / as_one;
    const std::int64_t end = parts == 0 ? 0 : as_one * largest_divisor(used / as_one, parts);
    if (!told.empty() && told.back().gpus == end) {
      told.back().bandwidth_share = std::min(told.back().bandwidth_share, tier.bandwidth_share);
    } else {
      told.push_back({.gpus = end, .bandwidth_share = tier.bandwidth_share});
    }
  }
  return told;
}

}  // namespace planner::design
