#pragma once

#include <algorithm>

#include "planner/core/real.hpp"
#include "planner/domain/strategy.hpp"

namespace planner {

/// Ranks that share one copy of the parameters under ZeRO 3: dense ones, and experts'.
struct Shards {
  double dense = 1, experts = 1;
};

/// Hybrid sharding (Zhao et al. 2023, arXiv 2304.11277, §3.2.2) keeps as many replicas of experts
/// as of all else.
/// @param n_d, n_e  data-parallel ranks of dense parameters, and of experts
inline Shards zero3_shards(const Strategy& strategy, double n_d, double n_e) {
  if (strategy.shard_ranks == 0) return {.dense = n_d, .experts = n_e};
  const double shard = std::min(real(strategy.shard_ranks), n_d), replicas = n_d / shard;
  return {.dense = shard, .experts = std::max(1.0, n_e / replicas)};
}

}  // namespace planner
