#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/domain/run.hpp"

// GPUs that a run uses of those that are bought.
namespace planner::design {

/// Every number of GPUs up to `most` that a strategy can use with the workload's global batch,
/// ascending: the products t·cp·p·d of degrees that its timing model allows.
std::vector<std::int64_t> usable_counts(const Workload& workload, std::int64_t most);

/// A way to use a number of GPUs: so many at a time as one HB domain.
struct DomainUse {
  std::int64_t as_one = 1;
  std::int64_t domains = 1;  ///< bought ones that hold them: each as many times as it can

  bool operator==(const DomainUse&) const = default;
};
/// All ways, the largest part of a domain first. 1,024 GPUs on domains of 72 need 16 domains where
/// 64 of each are one, and 15 where each is nine of 8.
std::vector<DomainUse> uses_of(std::int64_t hb_domain, std::int64_t used);

/// The levels of a network, counted in bought GPUs, as a run sees them that uses each domain by
/// whole parts of `as_one`: in GPUs that it uses.
std::vector<NetworkTier> tiers_of_used(std::vector<NetworkTier> tiers, std::int64_t hb_domain,
                                       std::int64_t as_one);

/// The same levels for all that a strategy of `used` GPUs can tell: groups that leave a part of
/// `as_one` span as many consecutive parts as divide all of them, so a level ends at the largest
/// such span below it, and one that holds all GPUs is none. Equal levels, equal times.
std::vector<NetworkTier> told_apart(std::span<const NetworkTier> tiers, std::int64_t used,
                                    std::int64_t as_one);

}  // namespace planner::design
