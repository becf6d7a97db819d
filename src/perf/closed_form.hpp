#pragma once

#include <cstdint>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/collectives.hpp"

namespace planner {

/// Time and memory of one strategy.
struct Estimate {
  IterationBreakdown time;
  MemoryBreakdown memory;

  bool operator==(const Estimate&) const = default;
};

/// A quantity that grows linearly with the micro-batch size b.
template <class Q>
struct PerMicroBatch {
  Q fixed{};
  Q per_sample{};

  [[nodiscard]] constexpr Q at(double b) const { return fixed + b * per_sample; }
};

/// The closed-form timing model of the rail-only paper (arXiv 2307.12169) §5, Appendices B and C,
/// for dense transformers, with its conventions: compute at the datasheet's dense peak, attention
/// slowed down by γ = 1/0.4, no overlap, HB bandwidth of both directions summed.
///
/// A strategy is evaluated in two steps, so that a search can share the first: `terms()` for
/// everything but micro-batch and interleaving, `finish()` for those. Both are the model; there is
/// no second copy of a formula.
class ClosedForm {
 public:
  /// The model is dense; the system's accelerator has a peak rate at the run's precision; batch,
  /// sequence and GPU count are positive. The caller has checked that.
  explicit ClosedForm(const Workload& workload);

  /// What a strategy costs whatever its micro-batch size and interleaving.
  struct Terms {
    Seconds compute_per_sample{};           ///< t(b)/b, Eq. 10
    PerMicroBatch<Seconds> bubble_sends{};  ///< Eq. 4
    PerMicroBatch<Seconds> tp_collectives{};  ///< of one micro-batch, first term of Eq. 6
    PerMicroBatch<Seconds> stage_send{};      ///< of one micro-batch, second term of Eq. 6
    Seconds sync{};                           ///< Eq. 7
    Bytes weights{}, gradients{}, optimizer{};
    Bytes in_flight_per_sample{};  ///< activations kept per sample of each micro-batch in flight
    Bytes once_per_sample{};       ///< activations held once, whatever the schedule
    double p = 1;                  ///< pipeline stages
  };
  /// @param strategy  its micro_batch and interleave are not looked at
  [[nodiscard]] Terms terms(const Strategy& strategy) const;

  /// Eqs. 2-7 and the memory of the first stage.
  /// @param b  micro-batch size  @param m  micro-batches  @param v  interleaved chunks
  [[nodiscard]] static Estimate finish(const Terms& terms, double b, double m, double v);

  /// A legal strategy's time and memory.
  [[nodiscard]] Estimate evaluate(const Strategy& strategy) const;

  /// A time that no micro-batch size and no interleaving of a strategy with these terms can beat.
  [[nodiscard]] Seconds lower_bound(const Terms& terms, double samples_per_rank) const;

  /// Bytes that a micro-batch of one sample sends from stage to stage (D_p/b) and per collective of
  /// tensor parallelism (D_t/b), and that a GPU contributes to the gradient synchronisation (D_d).
  struct Volumes {
    Bytes pipeline{}, tensor{}, data{};
  };
  [[nodiscard]] Volumes volumes(const Strategy& strategy) const;

  /// FLOPs of one iteration on all GPUs, before the slowdown γ. M_FF holds MLP and output layer,
  /// M_Attn projections and scores, both as executed under the given recomputation (App. B).
  struct IterationFlops {
    Flops feed_forward{}, attention{};
  };
  [[nodiscard]] IterationFlops iteration_flops(Recompute recompute) const;

  [[nodiscard]] const Links& links() const { return links_; }
  [[nodiscard]] FlopsPerSecond peak() const { return peak_; }
  [[nodiscard]] std::int64_t global_batch() const { return global_batch_; }

 private:
  /// States of the first stage's parameters: weights, gradients, optimizer.
  void add_states(const Strategy& strategy, Terms& terms) const;
  void add_activations(const Strategy& strategy, Terms& terms) const;

  double l_, h_, s_, V_, a_, B_;
  double attention_weights_, mlp_weights_;  ///< matrix entries per block
  double score_width_;                      ///< heads · head_dim
  double block_parameters_;                 ///< with biases and norms
  double embedding_parameters_, untied_output_parameters_;
  double bytes_per_parameter_;
  FlopsPerSecond peak_{};
  Links links_;
  std::int64_t global_batch_;
};

/// γ: attention runs at 40 % of the rate of the feed-forward layers. Rail-only paper, App. B.
inline constexpr double kAttentionSlowdown = 1 / 0.4;

inline Estimate ClosedForm::finish(const Terms& terms, double b, double m, double v) {
  const Seconds t_b = b * terms.compute_per_sample;
  const double p = terms.p;
  // Micro-batches whose activations the first stage holds, as a share of p. Korthikanti et al. 2022
  // (arXiv 2205.05198) §4.2.3; the limit to m/p only without interleaving, as in the paper's counts.
  const double in_flight = v > 1 ? 1 + (p - 1) / (p * v) : (m < p ? m / p : 1.0);
  return {
      .time =
          {
              .bubble_compute = (p - 1) * t_b / v,                           // Eq. 3
              .bubble_communication = terms.bubble_sends.at(b),              // Eq. 4
              .last_stage_compute = m * t_b,                                 // Eq. 5
              .last_stage_tp_communication = m * terms.tp_collectives.at(b),  // Eq. 6
              .last_stage_pp_communication = (2 * m * v) * terms.stage_send.at(b),  // Eq. 6
              .sync = terms.sync,                                                   // Eq. 7
          },
      .memory =
          {
              .weights = terms.weights,
              .gradients = terms.gradients,
              .optimizer = terms.optimizer,
              .activations = (b * in_flight) * terms.in_flight_per_sample +
                             b * terms.once_per_sample,
          },
  };
}

}  // namespace planner
