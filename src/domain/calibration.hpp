#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/domain/provenance.hpp"
#include "planner/domain/routing.hpp"
#include "planner/domain/system.hpp"

namespace planner {

/// The constants of the calibrated model: first those of the time, then those of the memory. Each
/// belongs to a GPU generation or a software class, never to a source, a model or a run.
enum class Constant : std::size_t {
  gemm_efficiency_bf16_volta,
  gemm_efficiency_bf16_ampere,
  gemm_efficiency_bf16_hopper,
  gemm_efficiency_bf16_blackwell,
  gemm_efficiency_fp8_hopper,
  gemm_efficiency_fp8_blackwell,
  gemm_efficiency_fp4_blackwell,
  rowwise_fp8,
  power_exponent_hopper,
  power_exponent_blackwell,
  gemm_shape,
  hbm_efficiency,
  attention_efficiency_flash1_ampere,
  attention_efficiency_flash2_ampere,
  attention_efficiency_flash1_hopper,
  attention_efficiency_flash2_hopper,
  attention_efficiency_cudnn_hopper,
  attention_efficiency_cudnn_blackwell,
  framework_ops,
  score_traffic,
  unaligned_head,
  elementwise_eager,
  elementwise_flash,
  elementwise_torch,
  elementwise_mcore,
  elementwise_te,
  gradient_accumulation,
  unfused_norms,
  fused_routing,
  host_time_eager,
  host_time_flash,
  host_time_torch,
  host_time_mcore,
  host_time_te,
  host_time_tp_eager,
  host_time_tp,
  launch_gap,
  launch_blocking,
  cuda_graphs,
  moe_host_time,
  moe_gap,
  moe_gap_per_expert,
  expert_imbalance,
  nvlink_efficiency,
  nic_efficiency,
  tp_latency,
  network_latency,
  tp_exposed_torch,
  tp_exposed_te,
  ep_exposed,
  cp_exposed,
  dp_exposed,
  fsdp_exposed,
  pp_exposed_interleaved,
  handover_eager,
  handover,
  loss_traffic_eager,
  straggling,
  dp_growth,
  ep_exposed_overlap,
  fp8_attention,
  dropless_imbalance,
  activation_inventory,
  checkpoint,
  logit_bytes_unfused,
  logit_bytes_fused,
  logit_bytes_in_place,
  selective_kept,
  base,
  driver_context,
  reserved,
  working_set,
};
inline constexpr std::size_t kTimeConstants = 62, kMemoryConstants = 10;
inline constexpr std::size_t kConstants = kTimeConstants + kMemoryConstants;

/// What a constant is, and what a fit starts from.
struct ConstantSpec {
  std::string_view name;     ///< as calibration files write it: "host_time.eager"
  std::string_view unit;     ///< "s", "B", "tokens" or empty for a ratio
  std::string_view meaning;  ///< in words
  double prior = 0;          ///< expected value
  double spread = 0;         ///< standard deviation of its logarithm
  double low = 0, high = 0;  ///< physical limits
};

/// In the order of Constant.
std::span<const ConstantSpec, kConstants> constant_specs();

/// Share of rows that an interval is to hold.
inline constexpr double kIntervalShare = 0.8;

/// How far predictions of one kind of run were off where they could be checked.
struct ResidualClass {
  std::optional<Generation> generation;  ///< none: any
  bool mixture_of_experts = false;
  /// Ends of an interval of ln(measured/predicted) that holds kIntervalShare: quantiles over rows
  /// of sources that were kept out of the fit.
  double low = 0, high = 0;
  std::int64_t rows = 0, sources = 0;
  std::int64_t most_gpus = 0, longest_sequence = 0;  ///< among them

  bool operator==(const ResidualClass&) const = default;
};

/// How a constant was obtained.
struct ConstantOrigin {
  std::int64_t rows = 0;     ///< measured runs it acts on
  std::int64_t sources = 0;  ///< that they come from
  std::string note;          ///< may be empty

  bool operator==(const ConstantOrigin&) const = default;
};

/// A set of constants.
struct Calibration {
  std::string name;
  std::string title;
  std::array<double, kConstants> values{};
  std::array<ConstantOrigin, kConstants> origins{};
  std::vector<ResidualClass> residuals;
  /// How its runs were routed, all on the network that is planned with: slowdowns are then against
  /// that. Nothing: against evenly loaded links, what is left of their routing being in its
  /// network efficiency.
  std::optional<RoutingSettings> routing{};
  std::vector<SourceNote> sources;

  [[nodiscard]] double operator[](Constant constant) const {
    return values[static_cast<std::size_t>(constant)];
  }
  bool operator==(const Calibration&) const = default;
};

/// Every constant at its prior.
Calibration prior_calibration();

}  // namespace planner
