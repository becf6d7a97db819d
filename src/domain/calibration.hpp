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
#include "planner/domain/software.hpp"
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
  gemm_efficiency_bf16_tpu,
  gemm_efficiency_fp8_tpu,
  attention_efficiency_tpu,
  ici_efficiency,
  elementwise_jax,
  host_time_jax,
  tp_exposed_jax,
  fsdp_exposed_jax,
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

/// What a constant is, and what a fit starts from.
struct ConstantSpec {
  std::string_view name;     ///< as calibration files write it: "host_time.eager"
  std::string_view unit;     ///< "s", "B", "tokens" or empty for a ratio
  std::string_view meaning;  ///< in words
  double prior = 0;          ///< expected value
  double spread = 0;         ///< standard deviation of its logarithm
  double low = 0, high = 0;  ///< physical limits
};

/// In the order of Constant. Where a fit starts and what it is held to: round figures, chosen in
/// the knowledge of an earlier fit to the same rows, with spreads by judgement. A fit moves a
/// constant only as far as rows insist. 0.7 is a factor of two either way: how many kernels
/// PyTorch, compiled or not, and engines with flash attention take for norms, rotary embedding and
/// activations is their own affair, and of launches under CUDA_LAUNCH_BLOCKING nobody counted how
/// many become serial.
inline constexpr auto kConstantSpecs = std::to_array<ConstantSpec>({
    {"gemm_efficiency.bf16.Volta", "", "16-bit matrix products, share of the silicon peak", 0.8,
     0.1, 0.2, 0.95},
    {"gemm_efficiency.bf16.Ampere", "", "16-bit matrix products, share of the silicon peak", 0.8,
     0.1, 0.2, 0.95},
    {"gemm_efficiency.bf16.Hopper", "", "16-bit matrix products, share of the silicon peak", 0.7,
     0.1, 0.2, 0.95},
    {"gemm_efficiency.bf16.Blackwell", "", "16-bit matrix products, share of the silicon peak",
     0.55, 0.15, 0.2, 0.95},
    {"gemm_efficiency.fp8.Hopper", "", "8-bit matrix products, share of the silicon peak", 0.65,
     0.15, 0.2, 0.95},
    {"gemm_efficiency.fp8.Blackwell", "", "8-bit matrix products, share of the silicon peak", 0.55,
     0.15, 0.2, 0.95},
    {"gemm_efficiency.fp4.Blackwell", "", "4-bit matrix products, share of the silicon peak", 0.5,
     0.2, 0.2, 0.95},
    {"rowwise_fp8", "", "rate of row-wise scaled fp8 against tensor-wise", 0.7, 0.2, 0.2, 1.0},
    {"power_exponent.Hopper", "", "rate against TDP over the generation's reference TDP", 0.5, 0.3,
     0.1, 1.0},
    {"power_exponent.Blackwell", "", "rate against TDP over the generation's reference TDP", 0.9,
     0.1, 0.3, 1.0},
    {"gemm_shape", "", "operand traffic of a matrix product that its work does not hide", 0.25, 0.4,
     0.02, 2.0},
    {"hbm_efficiency", "", "share of the memory bandwidth that kernels reach", 0.9, 0.002, 0.6,
     1.0},
    {"attention_efficiency.flash1.Ampere", "",
     "fused attention on causal FLOPs, share of the 16-bit peak", 0.35, 0.2, 0.1, 0.9},
    {"attention_efficiency.flash2.Ampere", "",
     "fused attention on causal FLOPs, share of the 16-bit peak", 0.6, 0.2, 0.1, 0.9},
    {"attention_efficiency.flash1.Hopper", "",
     "fused attention on causal FLOPs, share of the 16-bit peak", 0.25, 0.2, 0.1, 0.9},
    {"attention_efficiency.flash2.Hopper", "",
     "fused attention on causal FLOPs, share of the 16-bit peak", 0.35, 0.2, 0.1, 0.9},
    {"attention_efficiency.cudnn.Hopper", "",
     "fused attention on causal FLOPs, share of the 16-bit peak", 0.58, 0.2, 0.1, 0.9},
    {"attention_efficiency.cudnn.Blackwell", "",
     "fused attention on causal FLOPs, share of the 16-bit peak", 0.5, 0.2, 0.1, 0.9},
    {"framework_ops", "", "score traffic without a fused softmax, against with one", 2.0, 0.3, 1.0,
     5.0},
    {"score_traffic", "", "traffic per score element against the ideal", 1.2, 0.3, 0.5, 3.0},
    {"unaligned_head", "", "slowdown of score products whose head width is no multiple of 8", 10.0,
     0.6, 1.0, 60.0},
    {"elementwise.eager", "", "traffic of norms, activations, residuals against the ideal", 1.2,
     0.4, 0.3, 5.0},
    {"elementwise.flash", "", "traffic of norms, activations, residuals against the ideal", 2.0,
     0.7, 0.3, 5.0},
    {"elementwise.torch", "", "traffic of norms, activations, residuals against the ideal", 1.2,
     0.7, 0.3, 5.0},
    {"elementwise.mcore", "", "traffic of norms, activations, residuals against the ideal", 1.1,
     0.4, 0.3, 5.0},
    {"elementwise.te", "", "traffic of norms, activations, residuals against the ideal", 1.2, 0.4,
     0.3, 5.0},
    {"gradient_accumulation", "",
     "traffic of adding weight gradients to their buffer against the ideal", 0.8, 0.3, 0.1, 2.0},
    {"unfused_norms", "", "elementwise traffic where norms are not fused", 1.8, 0.3, 1.0, 4.0},
    {"fused_routing", "", "routed traffic under full CUDA graphs", 0.7, 0.3, 0.2, 1.0},
    {"host_time.eager", "s", "launching the kernels of one layer, forward", 0.001, 0.4, 0.0001,
     0.004},
    {"host_time.flash", "s", "launching the kernels of one layer, forward", 0.0006, 0.4, 0.0001,
     0.004},
    {"host_time.torch", "s", "launching the kernels of one layer, forward", 0.0006, 0.4, 0.0001,
     0.004},
    {"host_time.mcore", "s", "launching the kernels of one layer, forward", 0.0008, 0.4, 0.0001,
     0.004},
    {"host_time.te", "s", "launching the kernels of one layer, forward", 0.0005, 0.4, 0.0001,
     0.004},
    {"host_time_tp.eager", "s", "more of it with tensor parallelism", 0.0001, 0.5, 1e-05, 0.001},
    {"host_time_tp", "s", "more of it with tensor parallelism", 0.00025, 0.5, 1e-05, 0.001},
    {"launch_gap", "", "idle time between the kernels of a layer against launching them", 0.08, 0.5,
     0.01, 0.8},
    {"launch_blocking", "", "host times that become serial under CUDA_LAUNCH_BLOCKING", 3.5, 0.7,
     0.5, 6.0},
    {"cuda_graphs", "", "host time and gaps of MoE layers under full CUDA graphs", 0.2, 0.5, 0.03,
     1.0},
    {"moe_host_time", "s", "more host time of a MoE layer", 0.0006, 0.5, 5e-05, 0.005},
    {"moe_gap", "s", "more idle time of a MoE layer", 0.0003, 0.5, 1e-05, 0.003},
    {"moe_gap_per_expert", "s", "and per local expert", 6e-05, 0.5, 1e-06, 0.001},
    {"expert_imbalance", "", "busiest expert against the mean", 1.2, 0.1, 1.0, 2.0},
    {"nvlink_efficiency", "", "share of the HB bandwidth that collectives reach", 0.8, 0.06, 0.5,
     0.95},
    {"nic_efficiency", "", "share of the NIC bandwidth that collectives reach", 0.75, 0.12, 0.4,
     1.0},
    {"tp_latency", "s", "per doubling of the ranks of a tensor- or context-parallel collective",
     6e-05, 0.5, 5e-06, 0.0005},
    {"network_latency", "s", "per doubling of the ranks of any other collective, and per send",
     3e-05, 0.5, 3e-06, 0.0003},
    {"tp_exposed.torch", "", "share of overlapped tensor parallelism that nothing hides", 0.4, 0.4,
     0.02, 1.0},
    {"tp_exposed.te", "", "share of overlapped tensor parallelism that nothing hides", 0.4, 0.4,
     0.02, 1.0},
    {"ep_exposed", "", "share of all-to-alls that nothing hides", 0.6, 0.3, 0.1, 1.0},
    {"cp_exposed", "", "share of the context-parallel ring that nothing hides", 0.3, 0.4, 0.05,
     1.0},
    {"dp_exposed", "", "share of the gradient reduction that nothing hides", 0.33, 0.4, 0.02, 1.0},
    {"fsdp_exposed", "", "share of ZeRO 3's collectives that nothing hides", 0.12, 0.3, 0.01, 1.0},
    {"pp_exposed.interleaved", "", "share of an interleaved pipeline's sends that nothing hides",
     0.3, 0.4, 0.05, 1.0},
    {"handover.eager", "s", "of a micro-batch and chunk from stage to stage", 0.0005, 0.4, 1e-05,
     0.003},
    {"handover", "s", "of a micro-batch and chunk from stage to stage", 0.0001, 0.4, 1e-05, 0.003},
    {"loss_traffic.eager", "", "traffic of the loss layer against the ideal", 2.0, 0.3, 0.5, 4.0},
    {"straggling", "", "per doubling of the GPUs beyond eight", 0.004, 0.5, 0.0005, 0.02},
    {"dp_growth", "", "of gradient synchronisation, per doubling of the HB domains that it spans",
     0.03, 0.5, 0.001, 0.2},
    {"ep_exposed_overlap", "",
     "share of all-to-alls that nothing hides, overlapped with another micro-batch", 0.3, 0.3, 0.02,
     1.0},
    {"fp8_attention", "", "rate of fused attention in 8 bits against 16", 1.35, 0.1, 1.0, 2.0},
    {"dropless_imbalance", "", "busiest expert against the mean, where routing is not balanced",
     1.44, 0.1, 1.0, 4.0},
    {"gemm_efficiency.bf16.TPU", "", "16-bit matrix products, share of the silicon peak", 0.75,
     0.15, 0.2, 0.95},
    {"gemm_efficiency.fp8.TPU", "", "8-bit matrix products, share of the silicon peak", 0.6, 0.2,
     0.2, 0.95},
    {"attention_efficiency.TPU", "", "fused attention on causal FLOPs, share of the 16-bit peak",
     0.4, 0.3, 0.1, 0.9},
    {"ici_efficiency", "", "share of the bandwidth inside a torus that collectives reach", 0.8, 0.1,
     0.4, 1.0},
    {"elementwise.jax", "", "traffic of norms, activations, residuals against the ideal", 1.5, 0.4,
     0.3, 5.0},
    {"host_time.jax", "s", "launching the kernels of one layer, forward", 0.0003, 0.5, 1e-05,
     0.004},
    {"tp_exposed.jax", "", "share of overlapped tensor parallelism that nothing hides", 0.4, 0.4,
     0.02, 1.0},
    {"fsdp_exposed.jax", "", "share of ZeRO 3's collectives that nothing hides", 0.2, 0.5, 0.01,
     1.0},
    {"activation_inventory", "", "stored activations against their count", 1.0, 0.15, 0.5, 1.5},
    {"checkpoint", "", "stored layer inputs under full recomputation against their count", 1.0, 0.2,
     0.8, 2.0},
    {"logit_bytes.unfused", "", "bytes per logit at the peak of the loss", 10.0, 0.3, 4.0, 16.0},
    {"logit_bytes.fused", "", "bytes per logit at the peak of the loss", 6.0, 0.2, 4.0, 12.0},
    {"logit_bytes.in_place", "", "bytes per logit at the peak of the loss", 4.0, 0.1, 2.0, 8.0},
    {"selective_kept", "", "share of the activations that torch's selective checkpointing keeps",
     0.6, 0.3, 0.1, 1.0},
    {"base", "B", "workspaces and communication buffers in the allocator", 900000000.0, 0.5,
     200000000.0, 4000000000.0},
    {"driver_context", "B", "driver context and NCCL outside the allocator", 2500000000.0, 0.4,
     500000000.0, 8000000000.0},
    {"reserved", "", "reserved over allocated", 1.08, 0.04, 1.0, 1.3},
    {"working_set", "", "the layer at work against its activations", 1.0, 0.3, 0.2, 2.0},
});

inline constexpr std::size_t kConstants = kConstantSpecs.size();
inline constexpr auto kTimeConstants = static_cast<std::size_t>(Constant::activation_inventory);
static_assert(static_cast<std::size_t>(Constant::working_set) + 1 == kConstants, "a row each");

/// Of what XLA compiles alone.
constexpr bool of_jax(Constant constant) {
  return constant >= Constant::gemm_efficiency_bf16_tpu && constant <= Constant::fsdp_exposed_jax;
}

constexpr std::span<const ConstantSpec, kConstants> constant_specs() {
  return kConstantSpecs;
}

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

/// Measured runs that constants were fitted to, of one accelerator and software class.
struct MeasuredRuns {
  std::string accelerator;  ///< name in the catalog
  Generation generation{};
  SoftwareClass stack{};
  bool mixture_of_experts = false;
  /// Of its matrix products; formats of 16 bits and more are bf16. Nothing: any.
  std::optional<Precision> precision{};
  std::int64_t rows = 0;
  std::vector<std::string> sources;  ///< short names

  bool operator==(const MeasuredRuns&) const = default;
};

/// How a run's format counts among measured ones: those of 16 bits and more run alike.
constexpr Precision counted_as(Precision precision) {
  return precision == Precision::fp8 || precision == Precision::fp4 ? precision : Precision::bf16;
}

/// Measured runs of an accelerator, software class, kind of model and format that no constant was
/// fitted to: what the model does where no fit has seen anything.
struct OutsideRuns {
  MeasuredRuns of;
  double low = 0, high = 0;  ///< 10 and 90 % quantiles of ln(measured/predicted)

  bool operator==(const OutsideRuns&) const = default;
};

/// What runs of one's own on an accelerator by a software class say of its predicted times, of
/// dense models or of one mixture of experts: that these are off by a factor, with the interval of
/// what is left. Constants stay as they are.
struct OwnRuns {
  std::string accelerator;  ///< name in the catalog
  SoftwareClass stack{};
  bool mixture_of_experts = false;
  /// Of a mixture of experts, whose errors belong to the model: its parameters. 0: dense, any.
  double parameters = 0;
  std::optional<Precision> precision{};  ///< as of MeasuredRuns
  double factor = 1;                     ///< of every part of a predicted time
  /// Ends of an interval of ln(measured/predicted), the factor counted in.
  double low = 0, high = 0;
  std::int64_t rows = 0;
  std::int64_t most_gpus = 0, longest_sequence = 0;  ///< among them

  bool operator==(const OwnRuns&) const = default;
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
  std::vector<MeasuredRuns> measured{};  ///< empty: a file that does not say
  std::vector<OutsideRuns> outside{};
  std::vector<OwnRuns> own{};
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
