#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner/domain/plan.hpp"
#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/closed_form/formulas.hpp"
#include "planner/perf/collectives/collectives.hpp"
#include "planner/perf/machine/outermost.hpp"
#include "planner/perf/model/flops.hpp"
#include "planner/perf/model/prediction.hpp"

namespace planner::inline perf {

/// How a pipeline stage works through its share of the batch. Follows from p, m, b and v alone, so
/// it is the same for every placement.
struct StageSchedule {
  double b = 1;          ///< samples per micro-batch
  double m = 1;          ///< micro-batches
  double v = 1;          ///< interleaved model chunks
  double idle = 0;       ///< bubble, in compute times of a micro-batch
  double in_flight = 1;  ///< I: micro-batches whose activations stage one holds, as a share of p
};

/// The closed-form timing model of the rail-only paper (arXiv 2307.12169) §5, Appendices B and C,
/// for dense transformers, with its conventions: compute at the datasheet's dense peak, attention
/// slowed down by γ = 1/0.4, no overlap, HB bandwidth of both directions summed.
///
/// A strategy is evaluated in two steps, so that a search can share the first: `time_terms()` and
/// `memory_terms()` for everything but micro-batch and interleaving, `time()` and `memory()` for
/// those. Both are the model; there is no second copy of a formula.
class ClosedForm {
 public:
  /// The model is dense; the system's accelerator has a peak rate at the run's precision; batch,
  /// sequence and GPU count are positive. The caller has checked that.
  explicit ClosedForm(const Workload& workload);

  /// What a strategy's time is made of, whatever its micro-batch size and interleaving.
  struct TimeTerms {
    Seconds compute_per_sample{};             ///< t(b)/b, Eq. 10
    PerMicroBatch<Seconds> bubble_sends{};    ///< Eq. 4
    PerMicroBatch<Seconds> tp_collectives{};  ///< of one micro-batch, first term of Eq. 6
    PerMicroBatch<Seconds> stage_send{};      ///< of one micro-batch, second term of Eq. 6
    Seconds sync{};                           ///< Eq. 7
  };
  /// @param strategy  its micro_batch, interleave and zero are not looked at
  [[nodiscard]] TimeTerms time_terms(const Strategy& strategy) const;

  /// What its memory is made of, whatever its micro-batch size and interleaving.
  struct MemoryTerms {
    Bytes weights{}, gradients{}, optimizer{};
    Bytes in_flight_per_sample{};  ///< activations kept per sample of each micro-batch in flight
    Bytes once_per_sample{};       ///< activations held once, whatever the schedule
  };
  /// @param strategy  its micro_batch, interleave and placement are not looked at
  [[nodiscard]] MemoryTerms memory_terms(const Strategy& strategy) const;

  /// @param p  pipeline stages  @param b  micro-batch size  @param m  micro-batches
  /// @param v  interleaved chunks
  [[nodiscard]] static StageSchedule schedule(double p, double b, double m, double v);
  [[nodiscard]] StageSchedule schedule(const Strategy& strategy) const;

  /// Eqs. 2-7.
  [[nodiscard]] static IterationBreakdown time(const TimeTerms& terms, const StageSchedule& on);
  /// Memory of the first stage.
  [[nodiscard]] static MemoryBreakdown memory(const MemoryTerms& terms, const StageSchedule& on);

  /// A legal strategy's time and memory.
  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const;

  /// The orders of ranks that a strategy can have, with the pipeline outermost first.
  struct Ordered {
    Strategy strategy;
    TimeTerms terms;
  };
  struct Orders {
    Ordered first;
    std::optional<Ordered> second{};
  };
  /// @param strategy  its micro_batch, interleave, zero and outermost are not looked at
  [[nodiscard]] Orders orders(Strategy strategy) const;
  /// The strategy in its fastest order; of equals with the pipeline outermost.
  [[nodiscard]] Strategy in_best_order(const Strategy& strategy) const;
  [[nodiscard]] CommunicationTimes communication_times(const Strategy& strategy) const;

  /// A time that no micro-batch size and no interleaving of a strategy with these terms can beat.
  [[nodiscard]] static Seconds lower_bound(const TimeTerms& terms, double samples_per_rank);

  /// Bytes that a micro-batch of one sample sends from stage to stage (D_p/b) and per collective of
  /// tensor parallelism (D_t/b), and that a GPU contributes to the gradient synchronisation (D_d).
  struct Volumes {
    Bytes pipeline{}, tensor{}, data{};
  };
  [[nodiscard]] Volumes volumes(const Strategy& strategy) const;

  /// Parameters of a GPU of the first stage.
  [[nodiscard]] double parameters(const Strategy& strategy) const;

  /// Bytes per parameter of states other than the optimizer's, which has the rest.
  struct StateBytes {
    double weights = 0, gradients = 0;
  };
  [[nodiscard]] StateBytes state_bytes() const;

  /// FLOPs of one iteration on all GPUs, before the slowdown γ, as executed (App. B).
  [[nodiscard]] const IterationFlops& iteration_flops(Recompute recompute) const {
    return flops_[static_cast<std::size_t>(recompute)];
  }

  /// The links that each kind of group gets: the network's share falls where a group crosses an
  /// oversubscribed or badly balanced tier.
  struct GroupLinks {
    Links tp, dp, pp;
  };
  [[nodiscard]] GroupLinks group_links(const Strategy& strategy) const;

  /// Links at full bandwidth.
  [[nodiscard]] const Links& links() const { return links_; }
  [[nodiscard]] FlopsPerSecond peak() const { return peak_; }
  [[nodiscard]] std::int64_t global_batch() const { return global_batch_; }

 private:
  double l_, h_, s_, V_, a_, B_;
  double block_weights_;     ///< matrix entries per block
  double block_parameters_;  ///< with biases and norms
  double embedding_parameters_, untied_output_parameters_;
  double bytes_per_parameter_;
  FlopsPerSecond peak_{};
  std::array<IterationFlops, 3> flops_;  ///< under each recomputation
  Links links_;
  NetworkShares network_;
  OutermostChoice outermost_;
  std::int64_t hb_domain_;  ///< K, usable
  std::int64_t global_batch_;
};

/// γ: attention runs at 40 % of the rate of the feed-forward layers. Rail-only paper, App. B.
inline constexpr double kAttentionSlowdown = 1 / 0.4;

/// All-gathers and reduce-scatters of tensor parallelism per layer and micro-batch: four of each;
/// full recomputation repeats the forward's.
constexpr double tp_collectives_per_layer(Recompute recompute) {
  return recompute == Recompute::full ? 12 : 8;
}

inline StageSchedule ClosedForm::schedule(double p, double b, double m, double v) {
  return {
      .b = b,
      .m = m,
      .v = v,
      .idle = closed_form::kIdle(p, v),
      .in_flight = closed_form::kInFlight(v > 1, m >= p, p, m, v),
  };
}

inline IterationBreakdown ClosedForm::time(const TimeTerms& terms, const StageSchedule& on) {
  using namespace closed_form;
  const Seconds t_b = kMicroBatchTime(on.b, terms.compute_per_sample);
  return {
      .bubble_compute = kBubbleCompute(on.idle, t_b),
      .bubble_communication = terms.bubble_sends.at(on.b),
      .last_stage_compute = kLastStageCompute(on.m, t_b),
      .last_stage_tp_communication = kLastStageTensor(on.m, terms.tp_collectives.at(on.b)),
      .last_stage_pp_communication = kLastStagePipeline(on.m, on.v, terms.stage_send.at(on.b)),
      .sync = terms.sync,
  };
}

inline MemoryBreakdown ClosedForm::memory(const MemoryTerms& terms, const StageSchedule& on) {
  return {
      .weights = terms.weights,
      .gradients = terms.gradients,
      .optimizer = terms.optimizer,
      .activations = closed_form::kActivations(on.b, on.in_flight, terms.in_flight_per_sample,
                                               terms.once_per_sample),
  };
}

}  // namespace planner::perf
