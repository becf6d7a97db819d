#pragma once

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

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
