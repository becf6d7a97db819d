#include "planner/perf/model/flops.hpp"

#include "planner/core/real.hpp"

namespace planner::inline perf {

namespace {

/// MLP weights that one token passes through, all layers together.
double active_mlp_weights(const TransformerSpec& model) {
  const double l = real(model.layers);
  if (!model.moe) return l * mlp_weights(model);
  const double dense = real(model.moe->leading_dense_layers);
  const double experts = real(model.moe->top_k + model.moe->shared_experts);
  return dense * mlp_weights(model) +
         (l + real(model.mtp_layers) - dense) * experts * expert_weights(model);
}

}  // namespace

// w·s - w²/2 of s²/2 in each layer with a window of w.
double mean_score_share(const TransformerSpec& model, std::int64_t sequence) {
  const double s = real(sequence), w = real(model.sliding_window);
  if (w <= 0 || w >= s) return 1;
  const double windowed = real(model.sliding_window_layers) / real(model.layers), x = w / s;
  return 1 - windowed + windowed * x * (2 - x);
}

double flops_per_weight(const Repeated& repeated) {
  constexpr double kForward = 2;
  return kFlopsPerWeight + kForward * repeated.weights;
}

double flops_per_score(const TransformerSpec& model, std::int64_t sequence,
                       const Repeated& repeated) {
  return (12 + 4 * repeated.scores) * mean_score_share(model, sequence);
}

IterationFlops iteration_flops(const TransformerSpec& model, const TrainingRun& run,
                               const Repeated& repeated) {
  const double h = real(model.hidden), V = real(model.vocab), s = real(run.sequence);
  const double heads = 1 + real(model.mtp_layers), l = real(model.layers + model.mtp_layers);
  const double per_weight = flops_per_weight(repeated);
  const double per_score = flops_per_score(model, run.sequence, repeated);
  const double tokens = real(run.global_batch) * s;
  return {.feed_forward = kFeedForwardFlops(tokens, per_weight, active_mlp_weights(model),
                                            kFlopsPerWeight * heads, V, h),
          .attention = kAttentionFlops(tokens, l, per_weight, attention_weights(model), per_score,
                                       s, score_width(model))};
}

Repeated repeated(const Workload& workload, Recompute recompute) {
  switch (recompute) {
    case Recompute::none:
      return {};
    case Recompute::full:
      return {.weights = 1, .scores = 1};
    case Recompute::selective:
      break;
  }
  if (!workload.timing.calibrated()) return {.scores = 1};
  if (workload.software.stack == SoftwareClass::torch) return {.weights = 0.5, .scores = 0.5};
  return {.scores = workload.software.attention == AttentionKernel::unfused ? 1.0 : 0.0};
}

Repeated repeated(const Workload& workload, const Strategy& strategy) {
  using Module = RecomputeModule;
  const RecomputeModules& modules = strategy.recompute_modules;
  if (strategy.recompute == Recompute::full) {
    return {.weights = strategy.recomputed_layers, .scores = strategy.recomputed_layers};
  }
  if (strategy.recompute == Recompute::none || modules.empty()) {
    return repeated(workload, strategy.recompute);
  }
  // Shares of an MLP's and of latent attention's weights, as docs/calibrated.md times them.
  constexpr double kMlp = 2.0 / 3, kUpProjections = 0.5;
  const TransformerSpec& model = workload.model;
  const double l = real(model.layers), attention = l * attention_weights(model);
  const double dense = model.moe ? real(model.moe->leading_dense_layers) : l;
  double again = 0;
  if (modules.has(Module::mla_up_proj) && model.mla) again += kUpProjections * attention;
  if (modules.has(Module::mlp)) again += kMlp * dense * mlp_weights(model);
  if (model.moe) {
    const double each = (l - dense) * expert_weights(model);
    if (modules.has(Module::moe)) again += real(model.moe->top_k) * each;
    if (modules.has(Module::shared_experts)) {
      again += kMlp * real(model.moe->shared_experts) * each;
    }
  }
  return {.weights = again / (attention + active_mlp_weights(model)),
          .scores = modules.has(Module::core_attn) ? 1.0 : 0.0};
}

}  // namespace planner::perf
