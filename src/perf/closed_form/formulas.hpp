#pragma once

#include <cstdint>

#include "planner/core/quantity.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/derivation/text.hpp"

// The formulas of the closed-form model, each once: for numbers and quantities, for what grows with
// the micro-batch, and for Text, as they are explained. Source: rail-only paper (arXiv 2307.12169),
// §5, Appendices B and C, where a row names no other.
namespace planner::inline perf {

/// A quantity that grows linearly with the micro-batch size b.
template <class Q>
struct PerMicroBatch {
  Q fixed{};
  Q per_sample{};

  [[nodiscard]] constexpr Q at(double b) const { return fixed + b * per_sample; }
};
/// One that is proportional to it.
template <class Q>
struct PerSample {
  Q of_one{};

  // NOLINTNEXTLINE(google-explicit-constructor): nothing is lost
  constexpr operator PerMicroBatch<Q>() const { return {.per_sample = of_one}; }
};

// What is linear in them is computed of them as of a plain quantity.
template <class Q>
constexpr PerMicroBatch<Q> operator+(PerMicroBatch<Q> a, PerMicroBatch<Q> b) {
  return {.fixed = a.fixed + b.fixed, .per_sample = a.per_sample + b.per_sample};
}
template <class Q>
constexpr PerMicroBatch<Q> operator*(double factor, PerMicroBatch<Q> a) {
  return {.fixed = factor * a.fixed, .per_sample = factor * a.per_sample};
}
template <class Q>
constexpr PerSample<Q> operator+(PerSample<Q> a, PerSample<Q> b) {
  return {a.of_one + b.of_one};
}
template <class Q>
constexpr PerMicroBatch<Q> operator+(PerSample<Q> a, Q fixed) {
  return {.fixed = fixed, .per_sample = a.of_one};
}
template <class Q>
constexpr PerSample<Q> operator*(double factor, PerSample<Q> a) {
  return {factor * a.of_one};
}
template <class Q, class Divisor>
constexpr auto operator/(PerSample<Q> a, Divisor divisor)
    -> PerSample<decltype(a.of_one / divisor)> {
  return {a.of_one / divisor};
}

namespace closed_form {

/// 16-bit activations and weights.
inline constexpr double kBytesPerValue = 2;

// Time.

inline constexpr Row kMicroBatches{"m", "micro-batches per iteration", "Eq. 13",
                                   [](auto B, auto d, auto b) { return B / (d * b); }, ""};
inline constexpr auto kComputePerSample = [](auto M_FF, auto M_Attn, auto gamma, auto F, auto B,
                                             auto p, auto t) {
  return (M_FF + gamma * M_Attn) / (F * (B * p * t));
};
inline constexpr Row kMicroBatchTime{"t_b", "compute time of a micro-batch on a stage", "Eq. 10",
                                     [](auto b, auto per_sample) { return b * per_sample; }};

inline constexpr Row kTensorVolume{
    "D_t", "bytes of a tensor-parallel collective", "Table 1",
    [](auto b, auto h, auto s) { return bytes(kBytesPerValue * b * h * s); }, "B"};
/// Sequence parallelism sends each rank's part alone.
inline constexpr Row kPipelineVolume{"D_p", "bytes sent from stage to stage per micro-batch",
                                     "Table 1",
                                     [](bool sequence_parallel, auto tensor, auto t) {
                                       return sequence_parallel ? tensor / t : tensor;
                                     },
                                     "B"};
inline constexpr Row kDataVolume{"D_d", "bytes of the gradient synchronisation", "Table 1",
                                 [](auto l, auto weights, auto p, auto t) {
                                   return bytes(kBytesPerValue * l * weights / (p * t));
                                 },
                                 "B"};

/// From stage to stage.
inline constexpr auto kSend = [](auto volume, auto bandwidth, auto latency) {
  return volume / bandwidth + latency;
};
/// Of the pipeline, in compute times of a micro-batch.
inline constexpr auto kIdle = [](auto p, auto v) { return (p - 1) / v; };
inline constexpr Row kBubbleCompute{"T_bubble_comp", "pipeline bubble, compute", "Eq. 3",
                                    [](auto idle, auto t_b) { return idle * t_b; }};
inline constexpr Row kBubbleCommunication{
    "T_bubble_comm", "pipeline bubble, communication", "Eq. 4",
    [](auto p_h, auto p_l, auto send_hb, auto send_net) {
      return 2 * (p_l - 1) * send_net + 2 * p_l * (p_h - 1) * send_hb;
    }};
inline constexpr Row kLastStageCompute{"T_LS_comp", "last stage, compute", "Eq. 5",
                                       [](auto m, auto t_b) { return m * t_b; }};
/// Collectives of tensor parallelism of one micro-batch.
inline constexpr auto kStageCollectives = [](auto per_layer, auto l, auto p, auto all_gather) {
  return per_layer * l / p * all_gather;
};
inline constexpr Row kLastStageTensor{"T_LS_tp", "last stage, tensor-parallel communication",
                                      "Eq. 6",
                                      [](auto m, auto collectives) { return m * collectives; }};
inline constexpr Row kLastStagePipeline{"T_LS_pp", "last stage, pipeline communication", "Eq. 6",
                                        [](auto m, auto v, auto send) { return 2 * m * v * send; }};
inline constexpr Row kSynchronisation{"T_sync", "gradient synchronisation", "Eq. 7",
                                      [](auto all_gather) { return 2 * all_gather; }};

// Memory of the first stage.

/// Learned positions have a row each, as words have.
inline constexpr auto kEmbedding = [](bool learned_positions, auto V, auto s, auto h) {
  return (learned_positions ? V + s : V) * h;
};
inline constexpr auto kOutput = [](auto V, auto h) { return V * h; };
inline constexpr auto kBlocksAndEmbedding = [](auto block, auto l, auto p, auto embedding, auto t) {
  return block * l / (p * t) + embedding / t;
};
/// @param own_output  whether the first stage has the output layer, and it weights of its own
inline constexpr Row kParameters{
    "P", "parameters of the first stage", "Eq. 19",
    [](bool own_output, auto blocks_and_embedding, auto output, auto t) {
      return own_output ? blocks_and_embedding + output / t : blocks_and_embedding;
    },
    ""};

/// @param sharded  whether each data-parallel rank holds its part alone
inline constexpr auto kStates = [](auto bytes_per_parameter, auto P, bool sharded, auto d) {
  return bytes(sharded ? bytes_per_parameter * P / d : bytes_per_parameter * P);
};
inline constexpr Row kWeights{"R_weights", "weights", "", kStates, "B"};
inline constexpr Row kGradients{"R_gradients", "gradients", "", kStates, "B"};
/// @param c  bytes of all states per parameter
inline constexpr Row kOptimizer{
    "R_optimizer", "optimizer states", "",
    [](auto c, auto weights, auto gradients, auto P, bool sharded, auto d) {
      return kStates(c - weights - gradients, P, sharded, d);
    },
    "B"};

/// Korthikanti et al. 2022 (arXiv 2205.05198) §4.2.3; the limit to m/p only without interleaving,
/// as in the paper's counts.
inline constexpr Row kInFlight{"I", "micro-batches in flight, as a share of p",
                               "Korthikanti 2022 §4",
                               [](bool interleaved, bool filled, auto p, auto m, auto v) {
                                 using Number = decltype(m / p);
                                 if (interleaved) return 1 + (p - 1) / (p * v);
                                 return filled ? Number{1.0} : m / p;
                               },
                               ""};

// Activations per sample: Korthikanti et al. 2022 (arXiv 2205.05198), §4-5.

inline constexpr auto kLayerWithoutScores = [](bool sequence_parallel, auto s, auto h, auto t) {
  return sequence_parallel ? 34 * s * h / t : s * h * (10 + 24 / t);
};
inline constexpr auto kWholeLayer = [](auto without_scores, auto a, auto s, auto t) {
  return without_scores + 5 * a * s * s / t;
};
inline constexpr auto kCheckpoint = [](bool sequence_parallel, auto s, auto h, auto t) {
  return sequence_parallel ? 2 * s * h / t : 2 * s * h;
};
/// What a layer keeps until its backward pass.
inline constexpr auto kKept = [](const Strategy& strategy, auto s, auto h, auto a, auto t) {
  const bool split = strategy.sequence_parallel;
  switch (strategy.recompute) {
    case Recompute::full:
      return kCheckpoint(split, s, h, t);
    case Recompute::selective:
      return kLayerWithoutScores(split, s, h, t);
    case Recompute::none:
      break;
  }
  return kWholeLayer(kLayerWithoutScores(split, s, h, t), a, s, t);
};
/// What there is once: the dropout mask of the embedding, final norm and logits where one stage is
/// first and last, and a layer that is computed again.
inline constexpr auto kOnce = [](const Strategy& strategy, auto s, auto h, auto a, auto V, auto p,
                                 auto t) {
  auto once = s * h * p / t;
  if (strategy.pp.total() == 1) once = once + 4 * s * h * (1 + V / h) / t;
  if (strategy.recompute != Recompute::full) return once;
  return once + kWholeLayer(kLayerWithoutScores(strategy.sequence_parallel, s, h, t), a, s, t);
};
/// A stage has l/p layers and p micro-batches in flight, of which it holds the share I.
inline constexpr Row kActivations{"R_activations", "activations of the first stage",
                                  "Korthikanti 2022 §4",
                                  [](auto b, auto in_flight, auto kept_by_layers, auto once) {
                                    return b * in_flight * kept_by_layers + b * once;
                                  },
                                  "B"};

}  // namespace closed_form

}  // namespace planner::perf
