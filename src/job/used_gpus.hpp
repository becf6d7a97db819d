#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/search/search.hpp"

// How many of the GPUs that are there a job uses: whole HB domains, each as far as its strategy
// fills it.
namespace planner::job {

/// What there is.
struct GpuSupply {
  std::int64_t bought = 0;     ///< GPUs
  std::int64_t hb_domain = 1;  ///< of one HB domain; the last may be smaller
  std::int64_t most = 0;       ///< that the job may use
  bool exact = false;          ///< it must use so many
  /// Of a domain whose trays are swapped one by one; nothing: they are not.
  std::optional<std::int64_t> gpus_per_tray{};
};

/// How the job stands in the domains.
struct GpuUse {
  std::int64_t gpus = 0;        ///< of the job
  std::int64_t as_one = 1;      ///< GPUs that are used as one HB domain
  std::int64_t per_domain = 1;  ///< of each bought domain that it uses at all
  std::int64_t domains = 0;     ///< bought ones that it stands in

  bool operator==(const GpuUse&) const = default;
};

/// `gpus` in parts of `as_one`, which must divide them, in as many domains as that takes.
GpuUse use_of(std::int64_t gpus, std::int64_t hb_domain, std::int64_t as_one);

/// What is paid for: all GPUs of the domains that the job fills as far as it can, and of the last
/// one's the nodes that it stands in. A job within one domain leaves the rest to others.
/// @param node_gpus  of a node; nothing: GPUs are had one by one
std::int64_t occupied_gpus(const GpuUse& use, std::int64_t hb_domain,
                           std::optional<std::int64_t> node_gpus);

/// `gpus` in parts of `as_one`, which must divide them; nothing where there are too few domains.
std::optional<GpuUse> use_of_domains(const GpuSupply& supply, std::int64_t gpus,
                                     std::int64_t as_one);

/// Every way to use so many, the largest part of a domain first, wherever there are enough domains.
std::vector<GpuUse> uses_of_domains(const GpuSupply& supply, std::int64_t gpus);

/// Tiers of the network, counted in GPUs that are there, in those that the job uses.
std::vector<NetworkTier> tiers_of_used(std::vector<NetworkTier> tiers, const GpuSupply& supply,
                                       const GpuUse& use);

/// The workload on so many GPUs: what is left idle in each domain counts for no tier of the
/// network.
Workload on_used(const Workload& workload, const GpuSupply& supply, const GpuUse& use);

struct BestUse {
  GpuUse use;
  Workload workload;  ///< with what it uses
  SearchResult found;
};

/// The best strategy, as the search ranks them, on any count of GPUs that the model's degrees make,
/// up to what there is, and any part of each domain used as one. Exact: counts and parts are left
/// out only where LeastTimes says that none of their strategies is as fast. Of equals the most
/// GPUs, then the largest part.
/// @throws Interrupted
std::optional<BestUse> best_use(const Workload& workload, const GpuSupply& supply,
                                const SearchSpace& space, SearchOptions options);

}  // namespace planner::job
