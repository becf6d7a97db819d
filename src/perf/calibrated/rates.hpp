#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"

namespace planner::inline perf {

/// Whether tensor-parallel collectives overlap with products. What does that writes into the memory
/// of other GPUs, so inside an HB domain, and gathers and scatters the sequence: Transformer
/// Engine's user buffers, PyTorch's asynchronous tensor parallelism.
bool overlaps_tensor_parallelism(const Software& software, const Strategy& strategy);

/// Whether it is an engine of 2023 or before, of Megatron-LM's kind.
constexpr bool early_engine(SoftwareClass stack) {
  return stack == SoftwareClass::eager || stack == SoftwareClass::flash;
}

/// Whether the ranks of tensor parallelism send each a part from stage to stage: of a sequence that
/// is split they have no more; of a whole one Megatron-LM scatters it (Narayanan et al. 2021,
/// §4.1), Megatron-Core does not (schedules.py, get_tensor_shapes).
constexpr bool sends_parts(const Software& software, const Strategy& strategy) {
  return strategy.sequence_parallel || early_engine(software.stack);
}

/// A transformer and its run as the calibrated model's formulas write them.
struct CalibratedShape {
  CalibratedShape(const TransformerSpec& model, const Workload& workload);

  /// What tensor parallelism enlarges.
  struct Enlarged {
    double V;
    double kv_heads;
    double w_qkv, w_kv;  ///< widths of queries, keys and values together; of keys and values
    double n_qkv;        ///< width of the widest attention projection
    double W_attn;       ///< weight-matrix entries of a layer
  };
  /// As t tensor-parallel ranks hold it between them: the vocabulary padded, each rank with a key
  /// and value head at least.
  [[nodiscard]] Enlarged split_over(double t) const;

  double L, L_dense, L_moe;  ///< layers
  double mtp;                ///< multi-token-prediction layers, of the model's last kind
  double h, a, s, f;
  double d_qk, d_v;       ///< head dimensions
  double W_mlp;           ///< weight-matrix entries of a layer
  double W_expert;        ///< of one expert
  double E, k, f_e;       ///< experts, experts per token, their hidden size
  double shared;          ///< shared experts
  double gates;           ///< 1 with a gated MLP
  double latent = 0;      ///< widths of latent queries, and keys and values; 0: there are none
  double score_share;     ///< of the full causal square, under a sliding window, mean over layers
  double vocab_multiple;  ///< each rank's share of the vocabulary is padded to
  bool untied;
  Enlarged whole;  ///< on one rank, the vocabulary not padded
};

// Megatron-Core copies key and value heads where there are fewer than ranks.
inline CalibratedShape::Enlarged CalibratedShape::split_over(double t) const {
  const double block = vocab_multiple * t, heads = std::max(whole.kv_heads, t);
  const double copies = 2 * (heads - whole.kv_heads) * d_qk;
  return {.V = block * std::ceil(whole.V / block),
          .kv_heads = heads,
          .w_qkv = whole.w_qkv + copies,
          .w_kv = whole.w_kv + copies,
          .n_qkv = whole.n_qkv + copies,
          .W_attn = whole.W_attn + h * copies};
}

/// What the machine achieves, resolved from its figures and the calibration's constants.
struct CalibratedRates {
  explicit CalibratedRates(const Workload& workload);

  FlopsPerSecond gemm{}, gemm_16bit{};
  FlopsPerSecond attention{};  ///< fused attention on causal FLOPs, of a long sequence
  BytesPerSecond hbm{}, hb{}, nic{};
  FlopsPerSecond peak{}, peak_16bit{};  ///< of the silicon
  double power = 1;                     ///< that the part's TDP scales rates by
  double operand_bytes = 2;             ///< of a matrix product's elements
  bool quantised = false;               ///< 8 or 4 bits
  /// Rows of a matrix product that hide the traffic of one operand: κ·F·bytes/(2·BW).
  double kappa = 0, kappa_16bit = 0;

  /// Bytes to cast an element to the format of the products.
  [[nodiscard]] constexpr double cast_bytes() const { return quantised ? 4 : 0; }
};

/// The constant that scales matrix products of a format on parts of a generation. Formats of 16
/// bits and more share one; so do formats that the generation's products do not have.
Constant gemm_efficiency(Generation generation, Precision precision);

/// The one of fused attention.
Constant attention_efficiency(Generation generation, AttentionKernel kernel);

/// The share of the bandwidth inside an HB domain that collectives reach.
Constant hb_efficiency(Generation generation);

/// The exponent of the TDP by which rates of a generation go; none: they do not.
std::optional<Constant> power_exponent(Generation generation);

/// TDP of the part whose rates the generation's constants describe.
Watts reference_power(Generation generation);

/// No kernel sustains more of the silicon's peak, whatever the power law says.
inline constexpr double kMostOfPeak = 0.9;

// Constants of a software class. None: nothing of the communication is hidden, or, of ZeRO-3 of
// 2021, which gathers all of a layer ahead of time, kGatheredAhead shows.
Constant elementwise_constant(SoftwareClass stack);
Constant host_time_constant(SoftwareClass stack);
Constant host_time_tp_constant(SoftwareClass stack);
Constant tp_exposed_constant(SoftwareClass stack);
std::optional<Constant> dp_exposed_constant(const Software& software);
/// Whether gradients are reduced behind the backward pass and weights gathered by themselves: where
/// an engine that waits for its synchronisation was told to overlap it.
bool gathers_apart(const Software& software);
std::optional<Constant> fsdp_exposed_constant(SoftwareClass stack);
Constant handover_constant(SoftwareClass stack);
Constant logit_bytes_constant(LossKernel loss);
Constant ep_exposed_constant(const Software& software);
Constant imbalance_constant(const Software& software);

inline constexpr double kGatheredAhead = 0.01;

/// Values of the constants of the workload's software class.
struct CalibratedSoftware {
  explicit CalibratedSoftware(const Workload& workload);

  double elementwise;  ///< traffic of memory-bound kernels against the ideal
  Seconds host{};      ///< launching a layer's kernels
  Seconds host_tp{};   ///< more of it per rank of tensor parallelism, up to eight
  double tp_exposed, dp_exposed, fsdp_exposed;
  double loss_traffic;
  Seconds handover{};
  double logit_bytes;  ///< with as many chunks as the loss layer takes
};

}  // namespace planner::perf
