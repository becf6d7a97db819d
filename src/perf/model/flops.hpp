#pragma once

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/derivation/text.hpp"

namespace planner::inline perf {

/// FLOPs of one iteration on all GPUs. M_FF holds MLP, experts and output layer, M_Attn projections
/// and scores (rail-only paper, arXiv 2307.12169, App. B).
struct IterationFlops {
  Flops feed_forward{}, attention{};

  [[nodiscard]] constexpr Flops total() const { return feed_forward + attention; }
};

/// Which share of the forward pass runs a second time.
struct Repeated {
  double weights = 0;  ///< of the layers' matrix products
  double scores = 0;   ///< of the attention scores
};

/// Attention scores that sliding windows leave, of the full causal triangle, mean over layers.
double mean_score_share(const TransformerSpec& model, std::int64_t sequence);

/// FLOPs of the layers' matrix products per weight and token: 2 forward, 4 backward, and what runs
/// again. Of the output layer nothing does.
inline constexpr double kFlopsPerWeight = 6;
double flops_per_weight(const Repeated& repeated);
/// FLOPs of attention scores per layer, sequence and unit of score width, by s².
double flops_per_score(const TransformerSpec& model, std::int64_t sequence,
                       const Repeated& repeated);

/// Formulas of the FLOPs, for numbers and for Text. For the paper's GPT these are its
/// base·(2/3 + V/(12·h·l)) and base·(1/3 + s/(4.5·h)) with base = 72·B·l·s·h² (Korthikanti et al.
/// 2022, arXiv 2205.05198, Eq. 8). Other shapes enter with their true weight counts.
inline constexpr Row kFeedForwardFlops{
    "M_FF", "FLOPs of MLP and output layer", "App. B",
    [](auto tokens, auto per_weight, auto mlp_weights, auto per_output, auto V, auto h) {
      return flops(tokens * (per_weight * mlp_weights + per_output * V * h));
    },
    "FLOP"};
inline constexpr Row kAttentionFlops{
    "M_Attn", "FLOPs of attention", "App. B",
    [](auto tokens, auto l, auto per_weight, auto attention_weights, auto per_score, auto s,
       auto width) {
      return flops(tokens * l * (per_weight * attention_weights + per_score * s * width));
    },
    "FLOP"};

/// Attention over the full square (not the causal half), as Megatron and PaLM count; routed experts
/// by the ones a token passes through, windowed layers by what their windows leave;
/// multi-token-prediction layers included.
IterationFlops iteration_flops(const TransformerSpec& model, const TrainingRun& run,
                               const Repeated& repeated);

/// What a recomputation mode repeats under the workload's timing model: fused attention keeps no
/// scores that could be recomputed, and torch's selective mode repeats half of everything.
Repeated repeated(const Workload& workload, Recompute recompute);
/// Modules that are named, and a share of the layers, too.
Repeated repeated(const Workload& workload, const Strategy& strategy);

}  // namespace planner::perf
