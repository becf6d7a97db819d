#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace planner {

/// The degree of one kind of parallelism: `hb` ranks inside an HB domain times `net` domains.
struct Split {
  std::int64_t hb = 1;   ///< the papers' subscript h
  std::int64_t net = 1;  ///< the papers' subscript l

  [[nodiscard]] constexpr std::int64_t total() const { return hb * net; }
  bool operator==(const Split&) const = default;
};

enum class Recompute { none, selective, full };

/// A part of a layer that selective recomputation can run again: Megatron-Core's
/// --recompute-modules (transformer_config.py, recompute_modules).
enum class RecomputeModule : std::uint8_t {
  core_attn,       ///< scores and their products
  layernorm,       ///< both norms
  mlp,             ///< of dense layers
  moe_act,         ///< the experts' activation function
  moe,             ///< the experts, their all-to-alls aside
  shared_experts,  ///< those that every token visits
  mla_up_proj,     ///< up-projections of latent attention
};

/// A set of them.
class RecomputeModules {
 public:
  constexpr RecomputeModules() = default;
  constexpr RecomputeModules(std::initializer_list<RecomputeModule> modules) {
    for (const RecomputeModule module : modules) insert(module);
  }
  constexpr void insert(RecomputeModule module) {
    bits_ = static_cast<std::uint8_t>(bits_ | bit(module));
  }
  [[nodiscard]] constexpr bool has(RecomputeModule module) const {
    return (bits_ & bit(module)) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  constexpr bool operator==(const RecomputeModules&) const = default;
  constexpr auto operator<=>(const RecomputeModules&) const = default;

 private:
  static constexpr unsigned bit(RecomputeModule module) {
    return 1U << static_cast<unsigned>(module);
  }
  std::uint8_t bits_ = 0;
};

enum class Schedule {
  one_f_one_b,
  interleaved,
  zero_bubble_1p,  ///< ZB-1p (Qi et al. 2023, arXiv 2401.10241): memory as 1F1B
  zero_bubble_2p,  ///< ZB-2p: no bubble, twice the activations
};

/// Of ranks in far parts of a network, zones or segments, what they differ in: stages of a
/// pipeline, or replicas.
enum class Outermost { pipeline, data };

/// One way to lay a training run onto GPUs.
struct Strategy {
  Split tp{}, pp{}, dp{}, cp{}, ep{};
  std::int64_t expert_tp = 1;
  std::int64_t interleave = 1;   ///< v: model chunks per pipeline rank
  std::int64_t micro_batch = 1;  ///< b: sequences
  Recompute recompute = Recompute::selective;
  RecomputeModules recompute_modules{};  ///< of selective recomputation; empty: the scores
  double recomputed_layers = 1;          ///< share of the layers that full recomputation runs again
  int zero = 0;  ///< ZeRO stage: 1 shards optimizer states, 2 gradients too, 3 weights too
  bool sequence_parallel = true;
  /// So many of a stage's dp·cp ranks ZeRO 3 shards over, and each such group holds a replica of
  /// the weights (hybrid sharding); 0: all of them, one replica.
  std::int64_t shard_ranks = 0;
  Schedule without_interleaving = Schedule::one_f_one_b;  ///< of a pipeline with v = 1
  std::optional<Outermost>
      outermost{};  ///< in the order of ranks; nothing: no choice, the pipeline

  [[nodiscard]] constexpr bool replicas_outermost() const { return outermost == Outermost::data; }
  /// Of the weights, under ZeRO 3.
  [[nodiscard]] constexpr std::int64_t replicas() const {
    return shard_ranks > 0 ? dp.total() * cp.total() / shard_ranks : 1;
  }
  /// Ranks that share one replica of the dense weights, under ZeRO 3.
  [[nodiscard]] constexpr std::int64_t ranks_per_replica() const {
    return dp.total() * cp.total() / replicas();
  }
  [[nodiscard]] constexpr Schedule schedule() const {
    return interleave > 1 ? Schedule::interleaved : without_interleaving;
  }
  bool operator==(const Strategy&) const = default;
};

}  // namespace planner
