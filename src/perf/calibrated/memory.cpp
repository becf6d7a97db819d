#include <algorithm>
#include <cmath>
#include <utility>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/stage_memory.hpp"
#include "planner/perf/model/sharding.hpp"

namespace planner::inline perf {

namespace {

constexpr double kMasterBytes = 4;    // of a weight's fp32 copy
constexpr double kFp32Gradients = 4;  // beside them, where gradients are otherwise 16-bit

/// What a micro-batch keeps for its weight gradients, of what it keeps until its backward pass.
/// Qi et al. 2023 (arXiv 2401.10241), Table 1 without attention scores: 32·sbh of 34·sbh.
constexpr double kKeptForWeightGradients = 32.0 / 34;

/// Megatron-Core and Transformer Engine accumulate in the gradients that are reduced, 16- or 32-bit
/// ones; the older engines and FSDP in 16 bits.
bool keeps_main_gradients(SoftwareClass stack) {
  return stack == SoftwareClass::mcore || stack == SoftwareClass::te;
}

/// Bytes of gradients per parameter.
double gradient_bytes(const Software& software) {
  if (keeps_main_gradients(software.stack)) return software.gradient_reduce_bytes == 2 ? 2 : 4;
  return software.fp32_gradient_accumulation ? 6 : 2;
}

/// Of n breakdowns, at least one, the first with the greatest total.
template <class Breakdown>
MemoryBreakdown greatest(std::size_t n, const Breakdown& breakdown) {
  MemoryBreakdown greatest = breakdown(0);
  for (std::size_t i = 1; i < n; ++i) {
    const MemoryBreakdown other = breakdown(i);
    if (other.total() > greatest.total()) greatest = other;
  }
  return greatest;
}

}  // namespace

Calibrated::LayerMemory Calibrated::layer_memory(const Strategy& strategy) const {
  using enum Constant;
  const double t = real(strategy.tp.total()), p = real(strategy.pp.total());
  const CalibratedShape& x = shape_;
  const auto [V, kv_heads, w_qkv, w_kv, n_qkv, W_attn] = x.split_over(t);
  const double cp = real(strategy.cp.total()), d = real(strategy.dp.total());
  const double etp = real(strategy.expert_tp), experts_split = real(strategy.ep.total()) * etp;
  const double sp = strategy.sequence_parallel ? t : 1;
  const bool eager = software_.stack == SoftwareClass::eager;
  const bool torch_selective =
      strategy.recompute == Recompute::selective && software_.stack == SoftwareClass::torch;

  // Activations per token and layer: Korthikanti et al. 2022 (arXiv 2205.05198) §4, item by item,
  // for any shape. Ranks that split experts each gather the tokens of all of them. In 8 and 4 bits
  // Megatron-Core and Transformer Engine keep a product's input as it is multiplied, in 8 bits.
  using Module = RecomputeModule;
  const bool cast = rates_.quantised && keeps_main_gradients(software_.stack);
  const double input = cast ? 1 : 2;
  const double norms = 4 * x.h / sp, normed = 2 * input * x.h / sp;
  const double masks = eager ? 2 * x.h / sp : 0;
  const double projections = 2 * w_qkv / t, latents = 2 * x.latent;
  const double attended = (2 + (cast ? 1 : 0)) * x.a * x.d_v / t;
  const bool unfused = software_.attention == AttentionKernel::unfused;
  const double scores = unfused ? 5 * x.a * x.s / t : 0;
  const double before = 2 * (1 + x.gates), after = input;  // of an activation function, per width
  // What experts give out is kept where their outputs are weighed, for the gradients of the
  // weights. Megatron-Core weighs inside of the activation function (experts.py,
  // activation_func_with_probs).
  const double weighed = keeps_main_gradients(software_.stack) ? 0 : 2;
  const auto layer = [&](const RecomputeModules& again, bool scores_again) {
    const double attention =
        (again.has(Module::mla_up_proj) && x.latent > 0 ? latents : projections) + attended +
        (scores_again || again.has(Module::core_attn) ? 0 : scores);
    const double stream = norms + (again.has(Module::layernorm) ? 0 : normed) + masks;
    const double dense = again.has(Module::mlp) ? 0 : (before + after) * x.f / t;
    const double shared =
        again.has(Module::shared_experts) ? 0 : (before + after) * x.f_e * x.shared / t;
    const double experts = again.has(Module::moe)
                               ? 0
                               : x.k / t *
                                     (input * x.h * etp + weighed * x.h + before * x.f_e +
                                      (again.has(Module::moe_act) ? 0 : after * x.f_e));
    return std::pair{stream + attention + dense, stream + attention + shared + experts};
  };
  const bool selective = strategy.recompute == Recompute::selective;
  const bool scores_again = selective && strategy.recompute_modules.empty();
  const auto [dense, moe] =
      layer(selective ? strategy.recompute_modules : RecomputeModules{}, scores_again);
  const auto [dense_at_work, moe_at_work] = layer({}, scores_again);
  // Scores are no product's input: no weight gradient needs them once they were run again.
  const auto [dense_again, moe_again] =
      layer({}, scores_again || (selective && strategy.recompute_modules.has(Module::core_attn)));
  const double largest = std::max(x.L_dense > 0 ? dense_at_work : 0, x.L_moe > 0 ? moe_at_work : 0);
  // Under sequence parallelism the whole input of a product and its gradient, while it is at work.
  const double gathered_input = strategy.sequence_parallel && t > 1 ? 4 * x.h : 0;

  const double tokens = x.s / cp;
  const bool full = strategy.recompute == Recompute::full;
  // The residual stream as it came, which norms that run again need once more.
  const bool needed_again =
      full || (selective && strategy.recompute_modules.has(Module::layernorm));
  const bool frees_inputs = software_.free_stage_inputs && p > 1 && !needed_again;
  LayerMemory of{
      .layers_of = Partition(x, p),
      .t = t,
      .p = p,
      .n_d = d * cp,
      .n_e = std::max(1.0, N_ / (p * experts_split)),
      .sp = sp,
      .experts_split = experts_split,
      .W_dense = W_attn + x.W_mlp,
      .W_moe = W_attn + x.W_expert * x.shared + x.E * x.h,
      .W_experts = x.W_expert * x.E,
      .W_vocabulary = V * x.h / t,
      .dense = dense,
      .moe = moe,
      .dense_again = dense_again,
      .moe_again = moe_again,
      .freed_input = frees_inputs ? 2 * x.h / sp : 0,
      .tokens = tokens,
      .adam = kMasterBytes + 2 * real(software_.moment_bytes),
      .inventory = constant(activation_inventory),
      .kept = torch_selective ? constant(selective_kept) : 1,
      .working_set = tokens * (constant(working_set) * (full ? 1 : 0.3) * largest + gathered_input),
      .logits = stack_.logit_bytes * tokens * V / t,
      .checkpointed = full ? strategy.recomputed_layers : 0,
      .deferring = strategy.recompute != Recompute::none &&
                   strategy.without_interleaving != Schedule::one_f_one_b,
      .fullest = {}};
  of.fullest = fullest(of);
  return of;
}

// The layers that predict further tokens are on the last stage.
Calibrated::StageLayers Calibrated::stage_layers(const LayerMemory& layer, double stage) const {
  const Layers layers = layer.layers_of(stage);
  const double all = layers.all + (stage == layer.p - 1 ? shape_.mtp : 0);
  const double moe = shape_.L_moe > 0 ? all - layers.dense : 0;
  return {.all = all, .dense = all - moe, .moe = moe};
}

Calibrated::StageStates Calibrated::stage_states(const LayerMemory& layer, const Strategy& strategy,
                                                 double stage) const {
  const double t = layer.t, W_vocabulary = layer.W_vocabulary;
  const CalibratedShape& x = shape_;
  const bool first = stage == 0, last = stage == layer.p - 1;
  const StageLayers layers = stage_layers(layer, stage);
  // Layers that predict further tokens have an embedding of their own.
  const bool both = x.untied && last && (first || x.mtp > 0);
  const double vocabularies = both ? 2 : (first || last ? 1 : 0);

  const double P = (layers.dense * layer.W_dense + layers.moe * layer.W_moe) / t +
                   2 * x.h * layers.all + vocabularies * W_vocabulary;
  const double P_e = layers.moe * layer.W_experts / layer.experts_split;

  StageStates memory;
  const double gradients = gradient_bytes(software_);
  if (strategy.zero == 3) {
    const Shards shards = zero3_shards(strategy, layer.n_d, layer.n_e);
    const double shard = P / shards.dense + P_e / shards.experts;
    memory.weights = Bytes{2 * shard};
    memory.gradients = Bytes{gradients * shard};
    memory.optimizer = Bytes{layer.adam * shard};
    // A layer at work and the one after it. XLA scatters gradients as they are made.
    const bool compiled = software_.stack == SoftwareClass::jax;
    memory.gathered =
        Bytes{2 * (2 + (compiled ? 0 : gradients)) *
                  ((x.L_dense > 0 ? layer.W_dense / t : 0) +
                   (x.L_moe > 0 ? layer.W_moe / t + layer.W_experts / layer.experts_split : 0)) +
              (compiled ? 2 : 4) * W_vocabulary};
    return memory;
  }
  const double shard =
      strategy.zero > 0 ? P / real(zero1_ranks(software_, strategy)) + P_e / layer.n_e : P + P_e;
  memory.weights = Bytes{2 * (P + P_e)};
  memory.gradients = Bytes{gradients * (strategy.zero == 2 ? shard : P + P_e)};
  const Bytes states{layer.adam * shard};
  const bool main_gradients = keeps_main_gradients(software_.stack);
  const bool fetched = software_.offloaded_optimizer && main_gradients && strategy.zero == 1;
  memory.optimizer = fetched ? Bytes{} : states;
  // Of 16-bit gradients Adam takes fp32 ones: Megatron-Core's when the activations are gone, the
  // older engines' beside all else.
  const Bytes fp32{gradients == 2 ? kFp32Gradients * shard : 0};
  if (main_gradients) {
    memory.while_stepping = fetched ? fp32 + states : fp32;
  } else if (strategy.zero < 2) {
    memory.optimizer = memory.optimizer + fp32;
  }
  return memory;
}

Calibrated::StageActivations Calibrated::stage_activations(const LayerMemory& layer,
                                                           double stage) const {
  const CalibratedShape& x = shape_;
  const bool first = stage == 0, last = stage == layer.p - 1;
  const StageLayers layers = stage_layers(layer, stage);
  const double tokens = layer.tokens, checkpointed = layer.checkpointed;
  const Bytes activations{tokens * layer.inventory * layer.kept *
                          (layers.dense * layer.dense + layers.moe * layer.moe)};
  // Of what is recomputed all that weight gradients need waits for them.
  const Bytes again{tokens * layer.inventory *
                    (layers.dense * layer.dense_again + layers.moe * layer.moe_again)};
  const double in_host_memory =
      layers.all > 0 ? std::min(1.0, real(software_.offloaded_layers) / layers.all) : 0;
  const Bytes checkpoints{tokens * constant(Constant::checkpoint) * layers.all * 2 * x.h /
                          layer.sp};
  return {.activations_per_sample = (1 - in_host_memory) *
                                    (checkpointed * checkpoints + (1 - checkpointed) * activations),
          .deferred_per_sample = kKeptForWeightGradients * again,
          .working_set_per_sample = Bytes{(last && !first ? 0.5 : 1) * layer.working_set},
          .logits_per_sample = Bytes{last ? (1 + x.mtp) * layer.logits : tokens * 2 * x.h},
          .freed_per_chunk = Bytes{tokens * layer.inventory * layer.kept * (1 - in_host_memory) *
                                   layer.freed_input},
          .most_chunks = layers.all};
}

Calibrated::StageMemory Calibrated::stage_memory(const Strategy& strategy,
                                                 std::int64_t stage) const {
  const LayerMemory layer = layer_memory(strategy);
  return {stage_states(layer, strategy, real(stage)), stage_activations(layer, real(stage)),
          real(stage)};
}

// The micro-batches in flight never grow from a stage to the next one. Between the ends stages are
// equally long, with neither vocabulary nor logits, so of those with as many dense layers the
// earliest is the fullest; and of dense layers they have all, a part (one stage at most) or none. A
// stage that differs from the first one in its place alone is never fuller than that. Under
// recomputation zero bubbles turn that round: what waits for weight gradients grows by the stage.
Calibrated::Fullest Calibrated::fullest(const LayerMemory& layer) const {
  const double p = layer.p;
  Fullest stages;
  const auto add = [&](double stage) { stages.index[stages.count++] = stage; };
  add(0);
  const bool alike = shape_.L_dense == 0 && layer.layers_of.embedding == 0;
  const double mixed = layer.layers_of.first_with_moe();
  if (p > 2 && !alike) {
    Layers seen = layer.layers_of(0);
    for (const double stage : {1.0, mixed, mixed + 1}) {
      if (stage == 0 || stage >= p - 1) continue;
      const Layers layers = layer.layers_of(stage);
      if (layers == seen) continue;
      seen = layers;
      add(stage);
    }
  }
  if (p > 2 && layer.deferring) {
    add(p - 2);
    if (mixed > 1 && mixed < p) add(mixed - 1);
  }
  if (p > 1) add(p - 1);
  return stages;
}

Calibrated::States Calibrated::states(const LayerMemory& layer, const Strategy& strategy) const {
  States states;
  for (std::size_t i = 0; i < layer.fullest.count; ++i) {
    states[i] = stage_states(layer, strategy, layer.fullest.index[i]);
  }
  return states;
}

Calibrated::Activations Calibrated::activations(const LayerMemory& layer) const {
  Activations activations;
  for (std::size_t i = 0; i < layer.fullest.count; ++i) {
    activations[i] = stage_activations(layer, layer.fullest.index[i]);
  }
  return activations;
}

Calibrated::MemoryTerms Calibrated::memory_terms(const Fullest& fullest, const States& states,
                                                 const Activations& activations) {
  MemoryTerms terms{.count = fullest.count};
  for (std::size_t i = 0; i < terms.count; ++i) {
    terms.stages[i] = {states[i], activations[i], fullest.index[i]};
  }
  return terms;
}

// 1F1B: as many as there are stages from here to the last. Interleaved: so many chunks as
// Megatron-LM's schedules.py warms up with, 2 for each stage behind and a group of micro-batches
// for each chunk but one, and the one at work; on the first stage and in groups of p that is
// Korthikanti et al. 2022 §4.2.3. Zero bubbles: Qi et al. 2023 (arXiv 2401.10241) §2.3, ZB-1p as
// ZB-H1, and ZB-2p up to its limit of 2p.
Calibrated::InFlight Calibrated::in_flight(const Pipeline& on, double stage) {
  const double behind = on.p - 1 - stage, m = on.at_once();
  if (on.v > 1) {
    const double ahead = std::min(m, ((on.v - 1) * on.group + 2 * behind + 1) / on.v);
    return {.ahead = ahead, .chunks = on.v * ahead};
  }
  const double times = on.schedule == Schedule::zero_bubble_2p ? 2 : 1;
  const double ahead = std::min(m, times * (behind + 1));
  if (on.schedule == Schedule::one_f_one_b) return {.ahead = ahead, .chunks = ahead};
  return {.ahead = ahead, .deferred = std::min(m - ahead, times * stage), .chunks = ahead};
}

// XLA lays memory out before it runs, in what the driver offers.
Calibrated::Reserve Calibrated::reserve() const {
  using enum Constant;
  if (software_.stack == SoftwareClass::jax) return {.base = Bytes{constant(base)}};
  return {.base = Bytes{constant(base)},
          .driver_context = Bytes{constant(driver_context)},
          .reserved = constant(reserved)};
}

MemoryBreakdown Calibrated::memory(const StageMemory& at, const Pipeline& on) const {
  return memory(at, on.b, in_flight(on, at.index), reserve());
}

MemoryBreakdown Calibrated::memory(const MemoryTerms& terms, const Pipeline& on) const {
  return greatest(terms.count, [&](std::size_t i) { return memory(terms.stages[i], on); });
}

MemoryBreakdown Calibrated::memory(const Strategy& strategy, const Pipeline& on) const {
  return memory(memory_terms(strategy), on);
}

}  // namespace planner::perf
