#include "planner/perf/calibrated/rates.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/model/flops.hpp"

namespace planner {

namespace {

/// A constant that differs by generation. AMD's parts take those of the NVIDIA generation they were
/// sold against; the caller warns.
Constant by_generation(Generation generation, Constant volta, Constant ampere, Constant hopper,
                       Constant blackwell) {
  switch (generation) {
    case Generation::volta:
      return volta;
    case Generation::ampere:
      return ampere;
    case Generation::hopper:
    case Generation::cdna3:
      return hopper;
    case Generation::blackwell:
    case Generation::cdna4:
      return blackwell;
  }
  return hopper;
}

Constant by_stack(SoftwareClass stack, Constant eager, Constant flash, Constant torch,
                  Constant mcore, Constant te) {
  switch (stack) {
    case SoftwareClass::eager:
      return eager;
    case SoftwareClass::flash:
      return flash;
    case SoftwareClass::torch:
      return torch;
    case SoftwareClass::mcore:
      return mcore;
    case SoftwareClass::te:
      return te;
  }
  return te;
}

/// Rates of a part follow its power limit.
double power_factor(const Accelerator& part, const Calibration& calibration) {
  const std::optional<Constant> exponent = power_exponent(part.generation);
  if (!part.power || !exponent) return 1;
  return std::pow(*part.power / reference_power(part.generation), calibration[*exponent]);
}

FlopsPerSecond silicon_peak(const Accelerator& part, Precision precision) {
  const auto silicon = part.silicon.at(precision);
  return silicon ? *silicon : part.datasheet.at(precision).value_or(FlopsPerSecond{});
}

/// Volta has no bf16.
Precision sixteen_bit(const Accelerator& part) {
  return part.datasheet.bf16 ? Precision::bf16 : Precision::fp16;
}

}  // namespace

Watts reference_power(Generation generation) {
  switch (generation) {
    case Generation::volta:
      return 300 * units::W;
    case Generation::ampere:
      return 400 * units::W;
    case Generation::hopper:
      return 700 * units::W;
    case Generation::blackwell:
      return 1200 * units::W;
    case Generation::cdna3:
      return 750 * units::W;
    case Generation::cdna4:
      return 1400 * units::W;
  }
  return 700 * units::W;
}

Constant attention_efficiency(Generation generation, AttentionKernel kernel) {
  using enum Constant;
  const bool first = kernel == AttentionKernel::flash1, second = kernel == AttentionKernel::flash2;
  const Constant ampere =
      first ? attention_efficiency_flash1_ampere : attention_efficiency_flash2_ampere;
  const Constant hopper = first    ? attention_efficiency_flash1_hopper
                          : second ? attention_efficiency_flash2_hopper
                                   : attention_efficiency_cudnn_hopper;
  return by_generation(generation, ampere, ampere, hopper, attention_efficiency_cudnn_blackwell);
}

std::optional<Constant> power_exponent(Generation generation) {
  switch (generation) {
    case Generation::hopper:
      return Constant::power_exponent_hopper;
    case Generation::blackwell:
      return Constant::power_exponent_blackwell;
    case Generation::volta:
    case Generation::ampere:
    case Generation::cdna3:
    case Generation::cdna4:
      return std::nullopt;
  }
  return std::nullopt;
}

Constant gemm_efficiency(Generation generation, Precision precision) {
  using enum Constant;
  switch (precision) {
    case Precision::fp8:
      return by_generation(generation, gemm_efficiency_fp8_hopper, gemm_efficiency_fp8_hopper,
                           gemm_efficiency_fp8_hopper, gemm_efficiency_fp8_blackwell);
    case Precision::fp4:
      return gemm_efficiency_fp4_blackwell;
    case Precision::fp32:
    case Precision::tf32:
    case Precision::fp16:
    case Precision::bf16:
      return by_generation(generation, gemm_efficiency_bf16_volta, gemm_efficiency_bf16_ampere,
                           gemm_efficiency_bf16_hopper, gemm_efficiency_bf16_blackwell);
  }
  return gemm_efficiency_bf16_hopper;
}

// Megatron-LM pads the vocabulary to a multiple of 128 t (--make-vocab-size-divisible-by);
// torchtitan leaves it as it is.
CalibratedShape::CalibratedShape(const TransformerSpec& model, const Workload& workload)
    : L(real(model.layers)),
      L_dense(model.moe ? real(model.moe->leading_dense_layers) : L),
      L_moe(L - L_dense),
      mtp(real(model.mtp_layers)),
      h(real(model.hidden)),
      a(real(model.heads)),
      s(real(workload.run.sequence)),
      f(real(model.ffn_hidden)),
      W_mlp(mlp_weights(model)),
      W_expert(expert_weights(model)),
      E(model.moe ? real(model.moe->experts) : 1),
      k(model.moe ? real(model.moe->top_k) : 0),
      f_e(model.moe ? real(model.moe->expert_ffn_hidden) : 0),
      shared(model.moe ? real(model.moe->shared_experts) : 0),
      gates(model.gated_mlp ? 1 : 0),
      score_share(mean_score_share(model, workload.run.sequence)),
      vocab_multiple(workload.software.stack == SoftwareClass::torch ? 1 : 128),
      untied(!model.tied_embeddings),
      whole{.V = real(model.vocab),
            .kv_heads = real(model.mla ? model.heads : model.kv_heads),
            .W_attn = attention_weights(model)} {
  auto& [V, kv_heads, w_qkv, w_kv, n_qkv, W_attn] = whole;
  if (model.mla) {
    const MlaSpec& mla = *model.mla;
    d_qk = real(mla.qk_nope_head_dim + mla.qk_rope_head_dim);
    d_v = real(mla.v_head_dim);
    w_qkv = a * (2 * d_qk + d_v) + real(mla.q_lora_rank + mla.kv_lora_rank);
    w_kv = a * (d_qk + d_v);
    n_qkv = a * d_qk;
  } else {
    d_qk = d_v = real(model.head_dim);
    w_qkv = (a + 2 * kv_heads) * d_qk;
    w_kv = 2 * kv_heads * d_qk;
    n_qkv = w_qkv;
  }
}

CalibratedRates::CalibratedRates(const Workload& workload) {
  using enum Constant;
  const Calibration& constants = workload.timing.constants();
  const System& system = workload.system;
  const Accelerator& part = system.accelerator;
  const Precision precision = workload.run.precision;
  power = power_factor(part, constants);
  peak = silicon_peak(part, precision);
  peak_16bit = silicon_peak(part, sixteen_bit(part));

  // Communication kernels take their share of the processors (DeepSeek-V3, arXiv 2412.19437,
  // §3.2.2).
  const double left = 1 - workload.software.communication_sm_share;
  const auto achieved = [&](Precision format, double factor) {
    const double share = constants[gemm_efficiency(part.generation, format)] * factor * power;
    return left * std::min(kMostOfPeak, share) * silicon_peak(part, format);
  };
  const bool rows = precision == Precision::fp8 && workload.software.scaling == Scaling::row;
  gemm = achieved(precision, rows ? constants[rowwise_fp8] : 1);
  gemm_16bit = achieved(sixteen_bit(part), 1);
  const double fused =
      constants[attention_efficiency(part.generation, workload.software.attention)];
  attention = left * std::min(kMostOfPeak, fused * power) * silicon_peak(part, sixteen_bit(part));
  hbm = constants[hbm_efficiency] * part.memory_bandwidth;
  hb = constants[nvlink_efficiency] * system.hb_bandwidth;
  nic = constants[nic_efficiency] * system.network_bandwidth;
  quantised = precision == Precision::fp8 || precision == Precision::fp4;
  operand_bytes = precision == Precision::fp4 ? 0.5 : precision == Precision::fp8 ? 1 : 2;
  const auto rows_hiding_operand = [&](FlopsPerSecond rate, double bytes) {
    return constants[gemm_shape] * bytes * (rate / hbm).si() / 2;
  };
  kappa = rows_hiding_operand(gemm, operand_bytes);
  kappa_16bit = rows_hiding_operand(gemm_16bit, 2);
}

bool overlaps_tensor_parallelism(const Software& software, const Strategy& strategy) {
  return software.tp_overlap && strategy.sequence_parallel && strategy.tp.net == 1;
}

CalibratedSoftware::CalibratedSoftware(const Workload& workload) {
  using enum Constant;
  const Calibration& constants = workload.timing.constants();
  const SoftwareClass stack = workload.software.stack;
  const bool eager = stack == SoftwareClass::eager;
  const bool early = early_engine(stack);
  elementwise = constants[by_stack(stack, elementwise_eager, elementwise_flash, elementwise_torch,
                                   elementwise_mcore, elementwise_te)] *
                (workload.software.fused_norms ? 1 : constants[unfused_norms]);
  host = Seconds{constants[by_stack(stack, host_time_eager, host_time_flash, host_time_torch,
                                    host_time_mcore, host_time_te)]};
  host_tp = Seconds{constants[eager ? host_time_tp_eager : host_time_tp]};
  this->tp_exposed = constants[stack == SoftwareClass::torch ? tp_exposed_torch : tp_exposed_te];
  this->dp_exposed = early || stack == SoftwareClass::mcore ? 1 : constants[Constant::dp_exposed];
  constexpr double kGatheredAhead = 0.01;  // ZeRO-3 of 2021 gathers all of a layer ahead of time
  this->fsdp_exposed = eager ? kGatheredAhead : constants[Constant::fsdp_exposed];
  loss_traffic = eager ? constants[loss_traffic_eager] : 1;
  this->handover = Seconds{constants[early ? handover_eager : Constant::handover]};
  const bool fused_loss = stack == SoftwareClass::mcore || stack == SoftwareClass::te;
  logit_bytes = constants[fused_loss ? logit_bytes_fused : logit_bytes_unfused];
}

}  // namespace planner
