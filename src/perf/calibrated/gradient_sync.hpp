#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/senders.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"
#include "planner/perf/machine/outermost.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::inline perf {

/// GPUs from one rank of a group to the next: in an HB domain, and from domain to domain.
struct RankStrides {
  std::int64_t inside = 1, across = 1;

  /// Of every so many ranks of a domain, and of every so many domains.
  [[nodiscard]] constexpr RankStrides every(std::int64_t ranks, std::int64_t domains) const {
    return {inside * ranks, across * domains};
  }
};

/// Ranks that share dense parameters, and a GPU's experts.
struct Replicas {
  double dense = 1, experts = 1;
  double dense_in_domain = 1, experts_in_domain = 1;
  RankStrides dense_apart{}, experts_apart{};
};
/// @param domain  GPUs of an HB domain that are used
Replicas replicas(double gpus, const Strategy& strategy, std::int64_t domain);

/// Ranks of which so many lie in each domain.
NestedRanks placed_ranks(double ranks, double in_domain, const RankStrides& apart);
/// Replicas of a shard that so many ranks share, those of a domain first.
RankStrides replicas_apart(const RankStrides& ranks, double shard, const ShardPlacement& at);

/// @param shard  ranks that share one copy
inline GroupFlows domains_of_shards(const Strategy& strategy, std::int64_t shard) {
  return domains_of_copy(strategy, domains_of_shard(strategy, shard));
}
inline GroupFlows domains_of_shards(const Strategy& strategy) {
  return domains_of_shards(strategy, strategy.ranks_per_replica());
}

/// The node whose CPUs can sum gradients: its figures are known, and no switch joins its GPUs.
std::optional<Node> reducing_node(const System& system, std::int64_t domain);

/// Whether HFReduce can stand in for the collectives: it sums whole gradients, once.
constexpr bool hfreduce_sums(const Strategy& strategy) {
  return strategy.zero < 2;
}

/// How the groups of ranks lie on nodes where the CPUs sum: one sum for each of `options.groups`.
HfReduceOptions reduction_on(const Node& node, const NestedRanks& ranks, std::int64_t domain);

/// Bytes that HFReduce reduces and then broadcasts for so many parameters: gradients of g bytes and
/// what is gathered of each. Both halves load the node as those of an all-reduce do.
inline constexpr auto kReducedBytes = [](auto parameters, auto g, auto gathered) {
  return parameters * (g + gathered) / 2;
};

}  // namespace planner::perf
