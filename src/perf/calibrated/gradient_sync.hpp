#pragma once

#include <cstdint>
#include <optional>

#include "planner/core/quantity.hpp"
#include "planner/domain/cut.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/hfreduce/hfreduce.hpp"
#include "planner/perf/machine/outermost.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::inline perf {

/// Ranks that share dense parameters, and a GPU's experts.
struct Replicas {
  double dense = 1, experts = 1;
  double dense_in_domain = 1, experts_in_domain = 1;
  std::int64_t dense_stride = 1, experts_stride = 1;  ///< GPUs from one to the next
};
Replicas replicas(double gpus, const Strategy& strategy);

/// By how much the ranks of a group lie further apart on nodes of so many HB domains than their
/// strides in a stage say: where replicas are outermost a node holds several stages, each with its
/// groups. (Which GPUs of a node they are does not matter.)
std::int64_t stages_between(const Strategy& strategy, std::int64_t domains_of_node);

/// @param shard  ranks that share one copy
inline GroupFlows domains_of_shards(const Strategy& strategy, std::int64_t shard) {
  return domains_of_copy(strategy, domains_of_shard(strategy, shard));
}
inline GroupFlows domains_of_shards(const Strategy& strategy) {
  return domains_of_shards(strategy, strategy.ranks_per_replica());
}

/// The ring that a library of the GPUs makes of such ranks, in their order.
inline GroupFlows ring_over(double ranks, std::int64_t stride) {
  return {.kind = FlowKind::ring, .stride = stride, .ranks = static_cast<std::int64_t>(ranks)};
}

/// The node whose CPUs can sum gradients: its figures are known, and no switch joins its GPUs.
std::optional<Node> reducing_node(const System& system, std::int64_t domain);

/// Whether HFReduce can stand in for the collectives: it sums whole gradients, once.
constexpr bool hfreduce_sums(const Strategy& strategy) {
  return strategy.zero < 2;
}

/// How the groups of ranks lie on nodes where the CPUs sum: one sum for each of `options.groups`.
/// @param in_domain  ranks of a group in an HB domain
HfReduceOptions reduction_on(const Node& node, const GroupFlows& ranks, double in_domain,
                             std::int64_t domain);

/// Bytes that HFReduce reduces and then broadcasts for so many parameters: gradients of g bytes and
/// what is gathered of each. Both halves load the node as those of an all-reduce do.
inline constexpr auto kReducedBytes = [](auto parameters, auto g, auto gathered) {
  return parameters * (g + gathered) / 2;
};

}  // namespace planner::perf
