#pragma once

#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/calibrated/overlap.hpp"
#include "planner/perf/collectives/group.hpp"
#include "planner/perf/derivation/text.hpp"

// The formulas of data parallelism and the optimizer, for numbers and for Text.
namespace planner::inline perf {

/// Adam reads and writes master weights and both moments in fp32, reads the gradient and writes the
/// weights; what of it passes over unsharded weights and gradients.
inline constexpr double kAdamBytes = 30, kUnshardedBytes = 6;
/// Of the passes behind it, what of them can hide the last reduction of gradients (judged).
inline constexpr double kHidingShare = 0.8;

// Parameters of a GPU of the first stage: dense, with the tables of the vocabulary, and experts.
inline constexpr Row kDenseParameters{
    "P_d", "dense parameters of a GPU", kSheet,
    [](auto moe, auto dense, auto W_attn, auto W_expert, auto shared, auto W_mlp, auto p, auto t,
       auto V, auto h, auto... tables) {
      return (moe * (W_attn + W_expert * shared) + dense * (W_attn + W_mlp)) / (p * t) +
             ((V * h / t) * ... * tables);
    },
    ""};
inline constexpr Row kExpertParameters{"P_e", "experts' parameters of a GPU", kSheet,
                                       [](auto moe, auto p, auto W_expert, auto E, auto split) {
                                         return moe / p * W_expert * E / split;
                                       },
                                       ""};

inline constexpr Row kOptimizer{"T_optimizer",
                                "Adam: 30 B a sharded parameter, 6 B each that is on the GPU",
                                kSheet, [](auto sharded, auto held, auto BW) {
                                  return bytes(kAdamBytes * sharded + kUnshardedBytes * held) / BW;
                                }};
inline constexpr auto kSharded = [](auto P_d, auto shard_d, auto P_e, auto shard_e) {
  return P_d / shard_d + P_e / shard_e;
};

// ZeRO 3 gathers 16-bit weights, twice where they are freed between the passes, and reduces
// gradients of g bytes for every micro-batch. That of 2021: flat rings of single parameters.
inline constexpr auto kFlatRing = [](auto parameters, auto gathers, auto g, auto link) {
  return bytes(parameters * (2 * gathers + g)) / link;
};
inline constexpr auto kDenseAndExperts = [](auto dense, auto experts) { return dense + experts; };
inline constexpr Row kFlatRings{"t_micro", "flat rings of every micro-batch", kSheet,
                                kDenseAndExperts};
inline constexpr Row kGathersAndReductions{
    "t_micro", "collectives of every micro-batch", kSheet,
    [](auto gathers, auto AG_d, auto RS_d, auto AG_e, auto RS_e) {
      return gathers * AG_d + RS_d + gathers * AG_e + RS_e;
    }};
// Between the replicas of hybrid sharding: all-reduces, each twice the reduction of a shard.
inline constexpr auto kOfShard = [](auto parameters, auto shard, auto g) {
  return parameters / shard * g;
};
inline constexpr auto kAllReduces = [](auto... halves) { return 2 * (... + halves); };
// Where ZeRO 1 shards optimizer states within fewer GPUs, gradients are reduced in each such group,
// the shards summed between the groups, and weights gathered in each.
inline constexpr auto kInGroups = [](auto reduction, auto between) {
  return reduction + 2 * between;
};
// Waiting and contention grow with the domains that a reduction and gather span; nothing hides it.
inline constexpr Row kGrowth{"T_growth", "waiting among HB domains", kSheet,
                             [](auto growth, auto domains, auto communication) {
                               return growth * doublings(domains) * grouped(communication);
                             }};
inline constexpr auto kGradients = [](auto RS_d, auto AG_d, auto RS_e, auto AG_e) {
  return RS_d + AG_d + RS_e + AG_e;
};

// What shows of it. Collectives of every micro-batch run beside its work.
inline constexpr auto kInStep = [](auto micros, auto stage, auto per_micro, auto share) {
  return micros * (longer_of_overlapping<2>(stage, per_micro) - stage + share * per_micro);
};
// The last reduction hides behind what follows a chunk's last backward pass: passes of the other
// chunks, or, with few micro-batches, waiting for those of other stages.
inline constexpr Row kPasses{"passes", "what can hide the last reduction, in backward passes",
                             kSheet, [](auto p, auto v) { return 1 + (p - 1) * (v - 1) / v; }, ""};
inline constexpr auto kBehindPasses = [](auto communication, auto share, auto passes, auto stage) {
  return exposed(communication, share, kHidingShare * passes * stage);
};
// Where GPUs share NICs, sends of the pipeline keep these busy for a share of a micro-batch's work,
// which then hides no gradients: either way over each boundary, v chunks, of all replicas on a
// node. Where each has its own the share is small, and within what was fitted.
inline constexpr Row kBusyWithSends{
    "busy_pp", "share of the work in which sends take the NIC", kSheet,
    [](auto v, auto send, auto stage) { return lesser(1.0, 2 * v * send / stage); }, ""};
inline constexpr auto kBehindPassesAndSends = [](auto communication, auto share, auto passes,
                                                 auto stage, auto busy) {
  return exposed(communication, share, (1 - busy) * (kHidingShare * passes * stage));
};
inline constexpr Row kSync{"T_sync", "data parallelism, what shows", kSheet,
                           [](auto... parts) { return (... + parts); }};
inline constexpr Row kSyncOfZero3{"T_sync", "data parallelism, what shows", "arXiv 2304.11277",
                                  kSync.formula};

}  // namespace planner::perf
