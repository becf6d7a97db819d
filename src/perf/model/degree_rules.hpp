#pragma once

#include <cstdint>
#include <vector>

#include "planner/domain/run.hpp"

namespace planner::inline perf {

/// Into how many ranks a workload's model can be split along each axis, whatever the GPU count.
///
/// Closed form: Eq. 18 of the rail-only paper (arXiv 2307.12169): t divides s and h, p·v divides l.
/// Calibrated: what Megatron-Core and torchtitan run. t divides the heads, h and the dense
/// MLP, and divides the key-value heads or is a multiple of them;
/// all stages are full but one, which may hold fewer layers; v divides the layers of a full stage;
/// 2·cp divides s, so that every rank gets two chunks of equal work, none smaller than a tile of
/// fused attention; ep divides the experts; an expert is whole or split t ways.
class DegreeRules {
 public:
  explicit DegreeRules(const Workload& workload);

  // Each list is ascending.
  [[nodiscard]] const std::vector<std::int64_t>& tp() const { return tp_; }
  [[nodiscard]] const std::vector<std::int64_t>& pp() const { return pp_; }
  [[nodiscard]] const std::vector<std::int64_t>& cp() const { return cp_; }
  [[nodiscard]] const std::vector<std::int64_t>& ep() const { return ep_; }
  [[nodiscard]] std::vector<std::int64_t> expert_tp(std::int64_t t) const;
  [[nodiscard]] std::vector<std::int64_t> interleaves(std::int64_t p) const;

  /// Whether t tensor-parallel ranks must split the norms' tokens too: Megatron-Core
  /// takes mixtures of experts in no other way (model_parallel_config.py, moe/moe_layer.py).
  [[nodiscard]] bool needs_sequence_parallelism(std::int64_t t) const {
    return t > 1 && expert_ffn_ > 0;
  }

  /// Whether ZeRO 3 can shard over so many of n_d ranks, not all of them: with as many replicas of
  /// the experts, which n_e ranks share.
  [[nodiscard]] static bool can_shard(std::int64_t ranks, std::int64_t n_d, std::int64_t n_e);
  /// All numbers of ranks that ZeRO 3 can shard over, descending.
  [[nodiscard]] static std::vector<std::int64_t> shard_ranks(std::int64_t n_d, std::int64_t n_e);

  /// Whether ranks of these degrees can share a sequence between them.
  [[nodiscard]] bool share_sequence(std::int64_t t, std::int64_t cp) const;

 private:
  bool calibrated_;
  std::int64_t layers_, sequence_;
  std::int64_t expert_ffn_ = 0;  ///< 0: dense
  std::vector<std::int64_t> tp_, pp_, cp_, ep_;
};

/// Of m micro-batches those that a pipeline works through before it drains: all, or as many as the
/// software feeds it. They must divide m.
std::int64_t micro_batches_at_once(const Software& software, std::int64_t m);

/// Micro-batches that pass one chunk of an interleaved stage before the next chunk's turn: the
/// least number, from p on, that leaves none over or at least p. Source: Megatron-LM,
/// megatron/core/pipeline_parallel/schedules.py, on microbatch_group_size_per_vp_stage.
/// @param m  p or more
std::int64_t interleaving_group(std::int64_t p, std::int64_t m);

}  // namespace planner::perf
