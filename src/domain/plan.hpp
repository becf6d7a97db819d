#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "planner/core/quantity.hpp"
#include "planner/domain/fits.hpp"
#include "planner/domain/software.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/domain/timing.hpp"

namespace planner {

/// Where the time of one iteration goes; the parts sum to total(). The closed form knows the first
/// six; its last stage is the slowest one, whose time the calibrated model gives.
struct IterationBreakdown {
  Seconds bubble_compute{};
  Seconds bubble_communication{};
  Seconds last_stage_compute{};
  Seconds last_stage_tp_communication{};
  Seconds last_stage_pp_communication{};
  Seconds sync{};  ///< data-parallel gradient synchronisation, as far as nothing hides it

  Seconds loss_layer{};  ///< output projection and loss
  Seconds cp_communication{};
  Seconds ep_communication{};
  Seconds host{};  ///< GPUs waiting for kernel launches
  Seconds optimizer{};
  Seconds straggling{};  ///< slowest of many GPUs

  [[nodiscard]] constexpr Seconds total() const {
    return bubble_compute + bubble_communication + last_stage_compute +
           last_stage_tp_communication + last_stage_pp_communication + sync +
           (loss_layer + cp_communication + ep_communication + host + optimizer + straggling);
  }
  bool operator==(const IterationBreakdown&) const = default;
};

/// What communication takes in an iteration, in all, and how much of that nothing hides.
struct CommunicationTime {
  Seconds all{}, exposed{};

  [[nodiscard]] constexpr double exposed_share() const {
    return all > Seconds{} ? exposed / all : 0;
  }
  bool operator==(const CommunicationTime&) const = default;
};

/// By axis, of the slowest stage; of a pipeline its sends and what handing over costs. An axis that
/// sends nothing has zeros.
struct CommunicationTimes {
  CommunicationTime tp{}, pp{}, dp{}, cp{}, ep{};

  bool operator==(const CommunicationTimes&) const = default;
};

/// The same on a network where every group of ranks gets the full bandwidth, S = 1.
struct BalancedNetwork {
  Seconds iteration{};
  CommunicationTimes communication{};

  bool operator==(const BalancedNetwork&) const = default;
};

/// What fills the memory of the fullest GPU; the parts sum to total().
struct MemoryBreakdown {
  Bytes weights{};
  Bytes gradients{};
  Bytes optimizer{};
  Bytes activations{};

  Bytes gathered_weights{};  ///< of the layers ZeRO 3 has gathered
  Bytes working_set{};       ///< of the layer at work
  Bytes logits{};
  Bytes communication_buffers{};
  Bytes framework_reserve{};  ///< context, workspaces and what the allocator cannot use

  [[nodiscard]] constexpr Bytes total() const {
    return weights + gradients + optimizer + activations +
           (gathered_weights + working_set + logits + communication_buffers + framework_reserve);
  }
  bool operator==(const MemoryBreakdown&) const = default;
};

/// What kIntervalShare of the runs with one predicted time would measure.
struct TimeInterval {
  Seconds low{}, high{};
  /// Of as many cases beyond as within: the prediction, or how far off runs like it were, of which
  /// no fit has seen any.
  Seconds middle{};

  [[nodiscard]] constexpr bool holds(Seconds time) const { return low <= time && time <= high; }
  bool operator==(const TimeInterval&) const = default;
};

/// Runs that no constant was fitted to, and the ends of ln(measured/predicted) between which eight
/// of ten of each of their kinds are.
struct MissedRuns {
  std::int64_t rows = 0;
  double low = 0, high = 0;

  bool operator==(const MissedRuns&) const = default;
};

/// Whether runs like a plan's are among those that constants were fitted to, as far as its
/// calibration says.
struct Evidence {
  std::string accelerator;  ///< title
  Generation generation{};
  SoftwareClass stack{};
  bool mixture_of_experts = false;
  Precision precision = Precision::bf16;  ///< counted_as()
  std::int64_t runs = 0, sources = 0;     ///< on the generation by the software
  std::int64_t own = 0;                   ///< of one's own, on the accelerator by the software
  std::optional<MissedRuns> missed{};     ///< like it, outside the fit; nothing: none
  std::optional<MissedRuns> outside{};    ///< of whatever the fit has not seen

  [[nodiscard]] bool measured() const { return runs > 0 || own > 0; }
  bool operator==(const Evidence&) const = default;
};

/// A strategy with everything that follows from it.
struct Plan {
  Strategy strategy;
  std::int64_t microbatches = 0;  ///< m = B/(d·b)
  IterationBreakdown time;
  std::optional<TimeInterval> interval;  ///< of the time; none: the model has no measured errors
  std::optional<Evidence> evidence;      ///< of the calibrated model
  CommunicationTimes communication{};
  std::optional<BalancedNetwork> balanced{};  ///< none: routing was not asked for
  MemoryBreakdown memory;
  Bytes capacity{};  ///< memory of one GPU
  /// What sums the gradients; none: no rank shares its parameters, or the model does not say.
  std::optional<GradientSync> sync_by;
  Timing timing = Timing::closed_form;   ///< which model's terms the breakdowns have
  double mfu = 0;                        ///< model FLOPs over the datasheet's dense peak, 0 to 1
  double hfu = 0;                        ///< the same with recomputed FLOPs
  FlopsPerSecond model_flops_per_gpu{};  ///< model FLOPs per second and GPU
  double tokens_per_second = 0;          ///< all GPUs together
  double tokens_per_second_per_gpu = 0;

  [[nodiscard]] bool fits() const {
    return FitRule(timing, capacity, 0, memory_known()).fits(memory.total());
  }
  /// Of the calibrated model.
  [[nodiscard]] double p_fits() const {
    return fit_probability(memory.total(), capacity, memory_known());
  }
  /// Whether peaks of its software's memory were measured.
  [[nodiscard]] bool memory_known() const { return !evidence || memory_measured(evidence->stack); }
  bool operator==(const Plan&) const = default;
};

}  // namespace planner
