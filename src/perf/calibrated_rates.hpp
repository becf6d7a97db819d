#pragma once

#include "planner/domain/run.hpp"

namespace planner {

/// A transformer and its run as the calibrated model's formulas write them.
struct CalibratedShape {
  CalibratedShape(const TransformerSpec& model, const Workload& workload);

  /// As t tensor-parallel ranks hold it between them: the vocabulary padded, each rank with a key
  /// and value head at least.
  [[nodiscard]] CalibratedShape split_over(double t) const;

  double L, L_dense, L_moe;  ///< layers
  double mtp;                ///< multi-token-prediction layers, of the model's last kind
  double h, a, s, V, f;
  double w_qkv, w_kv;    ///< widths of queries, keys and values together; of keys and values
  double n_qkv;          ///< width of the widest attention projection
  double d_qk, d_v;      ///< head dimensions
  double W_attn, W_mlp;  ///< weight-matrix entries of a layer
  double W_expert;       ///< of one expert
  double E, k, f_e;      ///< experts, experts per token, their hidden size
  double shared;         ///< shared experts
  double gates;          ///< 1 with a gated MLP
  double score_share;    ///< of the full causal square, under a sliding window, mean over layers
  double kv_heads;
  double vocab_multiple;  ///< each rank's share of the vocabulary is padded to
  bool untied;
};

/// What the machine achieves, resolved from its figures and the calibration's constants.
struct CalibratedRates {
  explicit CalibratedRates(const Workload& workload);

  FlopsPerSecond gemm{}, gemm_16bit{};
  FlopsPerSecond attention{};  ///< fused attention on causal FLOPs, of a long sequence
  BytesPerSecond hbm{}, hb{}, nic{};
  double operand_bytes = 2;  ///< of a matrix product's elements
  bool quantised = false;    ///< 8 or 4 bits
};

/// The constant that scales matrix products of a format on parts of a generation. Formats of 16
/// bits and more share one; so do formats that the generation's products do not have.
Constant gemm_efficiency(Generation generation, Precision precision);

/// Constants of the workload's software class.
struct CalibratedSoftware {
  explicit CalibratedSoftware(const Workload& workload);

  double elementwise;  ///< traffic of memory-bound kernels against the ideal
  Seconds host{};      ///< launching a layer's kernels
  Seconds host_tp{};   ///< more of it per rank of tensor parallelism, up to eight
  double tp_exposed, dp_exposed, fsdp_exposed;
  double loss_traffic;
  Seconds handover{};
  double logit_bytes;
};

}  // namespace planner
