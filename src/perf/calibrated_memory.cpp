#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated.hpp"

namespace planner {

namespace {

constexpr double kAdamStateBytes = 12;  // fp32 master copy and both moments, per parameter
constexpr double kFp32Gradients = 4;    // beside them, where gradients are otherwise 16-bit
constexpr double kGatheredBytes = 8;    // ZeRO 3: one layer's weights and gradients, and the next's

/// Bytes of gradients per parameter.
double gradient_bytes(const Software& software) {
  if (software.stack == SoftwareClass::mcore || software.stack == SoftwareClass::te) return 4;
  return software.fp32_gradient_accumulation ? 6 : 2;
}

}  // namespace

Calibrated::MemoryTerms Calibrated::memory_terms(const Strategy& strategy) const {
  using enum Constant;
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const CalibratedShape x = shape_.split_over(t);
  const double cp = real(strategy.cp.total()), d = real(strategy.dp.total());
  const double experts_split = real(strategy.ep.total() * strategy.expert_tp);
  const double n_d = d * cp, n_e = std::max(1.0, N_ / (p * experts_split));
  const double sp = strategy.sequence_parallel ? t : 1;
  const bool one_stage = p == 1;
  const bool eager = software_.stack == SoftwareClass::eager;
  const bool torch_selective =
      strategy.recompute == Recompute::selective && software_.stack == SoftwareClass::torch;

  // Layers of the first and of the last stage; dense layers come first.
  const double most = std::ceil(x.L / p);
  const bool even = most * p == x.L;
  const double on_stage = !even && std::fmod(x.L + 2, p) == 0 ? most - 1 : most;
  const double dense_first = std::min(x.L_dense, on_stage);
  const double dense_last = std::max(0.0, std::min(on_stage, x.L_dense - (x.L - on_stage)));

  const double layer_dense = x.W_attn + x.W_mlp;
  const double layer_moe = x.W_attn + x.W_expert * x.shared + x.E * x.h;
  const double layer_experts = x.W_expert * x.E;

  // Activations per token and layer: Korthikanti et al. 2022 (arXiv 2205.05198) §4, item by item,
  // for any shape.
  const double stream = (8 * x.h + (eager ? 2 * x.h : 0)) / sp;
  const double attention = 2 * (x.w_qkv + x.a * x.d_v) / t;
  const bool unfused = software_.attention == AttentionKernel::unfused;
  const double scores = unfused ? 5 * x.a * x.s / t : 0;
  const bool scores_again = strategy.recompute == Recompute::selective;
  const double inner = 2 * (2 + x.gates);
  const double dense = stream + attention + inner * x.f / t + (scores_again ? 0 : scores);
  const double moe = stream + attention + inner * x.f_e * x.shared / t +
                     x.k / t * (4 * x.h + inner * x.f_e) + scores;
  const double tokens = x.s / cp;
  const double fullest = std::max(x.L_dense > 0 ? dense : 0, x.L_moe > 0 ? moe : 0);
  const bool full = strategy.recompute == Recompute::full;
  // Under sequence parallelism the whole input of a product and its gradient, while it is at work.
  const double gathered_input = strategy.sequence_parallel && t > 1 ? 4 * x.h : 0;

  const auto stage = [&](double dense_layers, double vocabularies, double working_share) {
    const double moe_layers = on_stage - dense_layers;
    const double P = (dense_layers * layer_dense + moe_layers * layer_moe) / t +
                     2 * x.h * on_stage + vocabularies * x.V * x.h / t;
    const double P_e = moe_layers * layer_experts / experts_split;
    StageMemory memory;
    if (strategy.zero == 3) {
      const double ranks = strategy.shard_ranks > 0 ? real(strategy.shard_ranks) : n_d;
      const double shard = P / std::min(ranks, n_d) + P_e / std::min(ranks, n_e);
      memory.weights = Bytes{2 * shard};
      memory.gradients = Bytes{2 * shard};
      memory.optimizer = Bytes{kAdamStateBytes * shard};
      memory.gathered = Bytes{
          kGatheredBytes * ((x.L_dense > 0 ? layer_dense / t : 0) +
                            (x.L_moe > 0 ? layer_moe / t + layer_experts / experts_split : 0)) +
          4 * x.V * x.h / t};
    } else {
      const double shard = strategy.zero > 0 ? P / n_d + P_e / n_e : P + P_e;
      memory.weights = Bytes{2 * (P + P_e)};
      const double gradients = gradient_bytes(software_);
      const bool second_copy = gradients == 2 && strategy.zero < 2;
      memory.gradients = Bytes{strategy.zero == 2 ? 2 * shard : gradients * (P + P_e)};
      memory.optimizer = Bytes{(kAdamStateBytes + (second_copy ? kFp32Gradients : 0)) * shard};
    }
    const double kept = constant(activation_inventory) * (dense_layers * dense + moe_layers * moe);
    memory.activations_per_sample =
        Bytes{tokens * (full ? constant(checkpoint) * on_stage * 2 * x.h / sp
                             : (torch_selective ? constant(selective_kept) : 1) * kept)};
    memory.working_set_per_sample =
        Bytes{working_share * tokens *
              (constant(working_set) * (full ? 1 : 0.3) * fullest + gathered_input)};
    return memory;
  };
  MemoryTerms terms{.first = stage(dense_first, one_stage && x.untied ? 2 : 1, 1),
                    .last = stage(dense_last, 1, 0.5)};
  const Bytes logits{stack_.logit_bytes * tokens * x.V / t};
  terms.first.logits_per_sample = one_stage ? logits : Bytes{tokens * 2 * x.h};
  terms.last.logits_per_sample = logits;
  return terms;
}

// In flight: 1F1B min(m, p) micro-batches on the first stage; interleaved Korthikanti et al. 2022
// §4.2.3, never more than there are; ZB-2p twice as many as 1F1B (Qi et al. 2023, Table 2).
MemoryBreakdown Calibrated::memory(const MemoryTerms& terms, const Pipeline& on) const {
  using enum Constant;
  const auto [p, b, m, v, zero_bubble] = on;
  const double in_flight_first =
      v > 1 ? std::min(m, p * (1 + (p - 1) / (p * v))) : std::min(m, zero_bubble == 0 ? 2 * p : p);
  const double in_flight_last = v > 1 ? std::min(m, 1 + (p - 1) / v) : 1;
  const auto stage = [b = b](const StageMemory& at, double in_flight) {
    return MemoryBreakdown{
        .weights = at.weights,
        .gradients = at.gradients,
        .optimizer = at.optimizer,
        .activations = (b * in_flight) * at.activations_per_sample,
        .gathered_weights = at.gathered,
        .working_set = b * at.working_set_per_sample,
        .logits = b * at.logits_per_sample,
    };
  };
  MemoryBreakdown fuller = stage(terms.first, in_flight_first);
  if (p > 1) {
    const MemoryBreakdown last = stage(terms.last, in_flight_last);
    if (last.total() > fuller.total()) fuller = last;
  }
  fuller.communication_buffers = Bytes{constant(base)};
  // What the allocator holds but cannot use, and what lies outside of it.
  fuller.framework_reserve =
      (constant(reserved) - 1) * fuller.total() + Bytes{constant(driver_context)};
  return fuller;
}

}  // namespace planner
