#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "planner/core/real.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner::inline perf {

/// Ranks that share one copy of the parameters under ZeRO 3: dense ones, and experts'.
struct Shards {
  double dense = 1, experts = 1;
};

/// Hybrid sharding (Zhao et al. 2023, arXiv 2304.11277, §3.2.2) keeps as many replicas of experts
/// as of all else.
/// @param n_d, n_e  data-parallel ranks of dense parameters, and of experts
inline Shards zero3_shards(const Strategy& strategy, double n_d, double n_e) {
  const double replicas = real(strategy.replicas());
  return {.dense = n_d / replicas, .experts = std::max(1.0, n_e / replicas)};
}

/// How ZeRO 3's groups lie in HB domains: ranks of a domain that share a copy, and copies of the
/// same part in a domain.
struct ShardPlacement {
  double sharing = 1, replicas = 1;
};

/// @param shard, in_domain  ranks of a group; ranks of a domain that hold the parameters
/// @param lined_up          ranks of a domain that surely are of one group
inline ShardPlacement placed_shards(double shard, double in_domain, double lined_up) {
  return {.sharing = lined_up, .replicas = lined_up == shard ? in_domain / shard : 1};
}

/// How groups of dense parameters lie in HB domains. A group takes context-parallel ranks first, as
/// the meshes of torchtitan and Megatron do; one that does not line up with the domains counts as
/// spread over more of them.
/// @param shard  ranks of a group, a divisor of dp·cp
inline ShardPlacement dense_shards(const Strategy& strategy, std::int64_t shard) {
  const std::int64_t cp = strategy.cp.total(), in_domain = strategy.dp.hb * strategy.cp.hb;
  const std::int64_t lined_up = shard % cp == 0
                                    ? strategy.cp.hb * std::gcd(shard / cp, strategy.dp.hb)
                                    : std::gcd(shard, strategy.cp.hb);
  return placed_shards(real(shard), real(in_domain), real(lined_up));
}

inline ShardPlacement dense_shards(const Strategy& strategy) {
  return dense_shards(strategy, strategy.ranks_per_replica());
}

/// Ranks that share the optimizer states of dense parameters under ZeRO 1: those of so many
/// neighbouring GPUs as the software says, or all.
inline std::int64_t zero1_ranks(const Software& software, const Strategy& strategy) {
  const std::int64_t all = strategy.dp.total() * strategy.cp.total();
  if (strategy.zero != 1 || software.zero1_shard_gpus == 0) return all;
  const std::int64_t near = software.zero1_shard_gpus / strategy.tp.total();
  return largest_divisor(all, std::clamp<std::int64_t>(near, 1, all));
}

/// How groups of experts lie in HB domains.
/// @param in_domain  ranks of a domain that hold the same ones; below 1 where experts' ranks take
///                   more than a domain
inline ShardPlacement expert_shards(const Strategy& strategy, double shard, double in_domain) {
  if (strategy.replicas() == 1 || in_domain <= 1) return {.sharing = in_domain};
  const double lined_up =
      real(std::gcd(static_cast<std::int64_t>(shard), static_cast<std::int64_t>(in_domain)));
  return placed_shards(shard, in_domain, lined_up);
}

/// HB domains that ranks of a group of dense parameters are in.
/// @param shard  ranks of a group
inline std::int64_t domains_of_shard(const Strategy& strategy, std::int64_t shard) {
  return static_cast<std::int64_t>(real(shard) / dense_shards(strategy, shard).sharing);
}
inline std::int64_t domains_of_shard(const Strategy& strategy) {
  return domains_of_shard(strategy, strategy.ranks_per_replica());
}

/// Domains that the ranks of a stage span.
inline double domains_of_stage(const Strategy& s) {
  return real(s.tp.net * s.cp.net * s.dp.net);
}

}  // namespace planner::perf
