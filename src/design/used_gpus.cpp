#include "planner/design/used_gpus.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/ceil_div.hpp"
#include "planner/core/divisors.hpp"
#include "planner/core/real.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::design {

std::vector<std::int64_t> usable_counts(const Workload& workload, std::int64_t most) {
  Workload largest = workload;  // what pipelines there may be depends on the GPUs
  largest.gpus = most;
  const DegreeRules rules(largest);
  const std::vector<std::int64_t> dp = divisors(workload.run.global_batch);
  std::vector<bool> usable(static_cast<std::size_t>(most) + 1);
  for (const std::int64_t t : rules.tp()) {
    for (const std::int64_t cp : rules.cp()) {
      if (t * cp > most || !rules.share_sequence(t, cp)) continue;
      for (const std::int64_t p : rules.pp()) {
        for (const std::int64_t d : dp) {
          if (d > most / (t * cp * p)) break;
          usable[static_cast<std::size_t>(t * cp * p * d)] = true;
        }
      }
    }
  }
  std::vector<std::int64_t> counts;
  for (std::size_t i = 1; i < usable.size(); ++i) {
    if (usable[i]) counts.push_back(static_cast<std::int64_t>(i));
  }
  return counts;
}

std::vector<DomainUse> uses_of(std::int64_t hb_domain, std::int64_t used) {
  std::vector<DomainUse> uses;
  for (std::int64_t as_one = std::min(hb_domain, used); as_one > 0; --as_one) {
    if (used % as_one != 0) continue;
    uses.push_back({.as_one = as_one, .domains = ceil_div(used / as_one, hb_domain / as_one)});
  }
  return uses;
}

std::vector<NetworkTier> tiers_of_used(std::vector<NetworkTier> tiers, std::int64_t hb_domain,
                                       std::int64_t as_one) {
  const std::int64_t filled = hb_domain / as_one * as_one;
  if (filled == hb_domain) return tiers;
  for (NetworkTier& tier : tiers) {
    tier.gpus = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::floor(real(tier.gpus) * real(filled) / real(hb_domain))));
  }
  return tiers;
}

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
