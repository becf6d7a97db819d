#include "planner/perf/calibrated/rates.hpp"

#include <algorithm>
#include <cmath>

#include "planner/core/real.hpp"
#include "planner/perf/calibrated/explanation.hpp"
#include "planner/perf/model/flops.hpp"

namespace planner::inline perf {

namespace {

/// Whether a class hides its gradient reduction unless told otherwise.
constexpr bool overlaps_synchronisation(SoftwareClass stack) {
  return stack == SoftwareClass::torch || stack == SoftwareClass::te || stack == SoftwareClass::jax;
}

Constant by_stack(SoftwareClass stack, Constant eager, Constant flash, Constant torch,
                  Constant mcore, Constant te, Constant jax) {
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
    case SoftwareClass::jax:
      return jax;
  }
  return te;
}

constexpr Row kPower{
    "power", "rates follow the power limit", kSheet,
    [](auto tdp, auto reference, auto exponent) { return power(tdp / reference, exponent); }, ""};
// Communication kernels take their share of the processors (DeepSeek-V3, arXiv 2412.19437,
// §3.2.2).
constexpr auto kRate = [](auto sm_share, auto most_of_peak, auto peak, auto... shares) {
  return peak * ((1 - sm_share) * lesser(most_of_peak, (... * shares)));
};
// No faster than large products were measured to be on this very part, where they were.
constexpr auto kRateAtMost = [](auto sm_share, auto most_of_peak, auto peak, auto measured,
                                auto... shares) {
  return lesser(kRate(sm_share, most_of_peak, peak, shares...), (1 - sm_share) * measured);
};
constexpr Row kProductRate{"F", "rate of matrix products", kSheet, kRate, "FLOP/s"};
constexpr Row kProductRate16{"F_16", "rate of 16-bit matrix products", kSheet, kRate, "FLOP/s"};
constexpr Row kAttentionRate{"F_attn", "rate of fused attention, causal FLOPs",
                             "arXiv 2205.14135, 2307.08691", kRate, "FLOP/s"};
constexpr auto kReached = [](auto bandwidth, auto efficiency) { return bandwidth * efficiency; };
constexpr Row kMemoryRate{"BW", "memory bandwidth reached", kSheet, kReached, "B/s"};
constexpr Row kHbRate{"nvl", "HB bandwidth reached", kSheet, kReached, "B/s"};
constexpr Row kNetworkRate{"nic", "network bandwidth reached", kSheet, kReached, "B/s"};
constexpr auto kHidingRows = [](auto shape, auto operand_bytes, auto rate, auto BW) {
  return shape * operand_bytes * number(rate / (2 * BW));
};
constexpr Row kKappa{"kappa", "rows that hide an operand's traffic", kRoofline, kHidingRows, ""};
constexpr Row kKappa16{"kappa_16", "the same of 16-bit products", kRoofline, kHidingRows, ""};
constexpr double k16BitBytes = 2;

/// Rates of a part follow its power limit.
double power_factor(const Accelerator& part, const Calibration& calibration) {
  const std::optional<Constant> exponent = power_exponent(part.generation);
  if (!part.power || !exponent) return 1;
  return kPower(*part.power, reference_power(part.generation), calibration[*exponent]);
}

FlopsPerSecond silicon_peak(const Accelerator& part, Precision precision) {
  const auto silicon = part.silicon.at(precision);
  return silicon ? *silicon : part.datasheet.at(precision).value_or(FlopsPerSecond{});
}

/// What large products were measured to reach; formats of 16 bits run alike.
std::optional<FlopsPerSecond> measured_rate(const Accelerator& part, Precision precision) {
  if (const auto rate = part.gemm.at(precision)) return rate;
  if (precision == Precision::bf16) return part.gemm.fp16;
  return precision == Precision::fp16 ? part.gemm.bf16 : std::nullopt;
}

/// Volta has no bf16.
Precision sixteen_bit(const Accelerator& part) {
  return part.datasheet.bf16 ? Precision::bf16 : Precision::fp16;
}

}  // namespace

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
    latent = real(mla.q_lora_rank + mla.kv_lora_rank);
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

  const double sm_share = workload.software.communication_sm_share;
  const auto achieved = [&](Precision format, double factor) {
    const FlopsPerSecond of_silicon = silicon_peak(part, format);
    const double share = constants[gemm_efficiency(part.generation, format)];
    if (const auto measured = measured_rate(part, format)) {
      return kRateAtMost(sm_share, kMostOfPeak, of_silicon, *measured, share, factor, power);
    }
    return kRate(sm_share, kMostOfPeak, of_silicon, share, factor, power);
  };
  const bool rows = precision == Precision::fp8 && workload.software.scaling == Scaling::row;
  gemm = achieved(precision, rows ? constants[rowwise_fp8] : 1);
  gemm_16bit = achieved(sixteen_bit(part), 1);
  attention =
      kRate(sm_share, kMostOfPeak, silicon_peak(part, sixteen_bit(part)),
            constants[attention_efficiency(part.generation, workload.software.attention)], power);
  if (workload.software.fp8_attention) attention = constants[fp8_attention] * attention;
  hbm = kReached(part.memory_bandwidth, constants[hbm_efficiency]);
  hb = kReached(system.hb_bandwidth, constants[hb_efficiency(part.generation)]);
  nic = kReached(system.network_bandwidth, constants[nic_efficiency]);
  quantised = precision == Precision::fp8 || precision == Precision::fp4;
  operand_bytes = precision == Precision::fp4 ? 0.5 : precision == Precision::fp8 ? 1 : k16BitBytes;
  kappa = kHidingRows(constants[gemm_shape], operand_bytes, gemm, hbm);
  kappa_16bit = kHidingRows(constants[gemm_shape], k16BitBytes, gemm_16bit, hbm);
}

bool overlaps_tensor_parallelism(const Software& software, const Strategy& strategy) {
  return software.tp_overlap && strategy.sequence_parallel && strategy.tp.net == 1;
}

Constant elementwise_constant(SoftwareClass stack) {
  using enum Constant;
  return by_stack(stack, elementwise_eager, elementwise_flash, elementwise_torch, elementwise_mcore,
                  elementwise_te, elementwise_jax);
}

Constant host_time_constant(SoftwareClass stack) {
  using enum Constant;
  return by_stack(stack, host_time_eager, host_time_flash, host_time_torch, host_time_mcore,
                  host_time_te, host_time_jax);
}

Constant host_time_tp_constant(SoftwareClass stack) {
  return stack == SoftwareClass::eager ? Constant::host_time_tp_eager : Constant::host_time_tp;
}

Constant tp_exposed_constant(SoftwareClass stack) {
  using enum Constant;
  return by_stack(stack, tp_exposed_te, tp_exposed_te, tp_exposed_torch, tp_exposed_te,
                  tp_exposed_te, tp_exposed_jax);
}

std::optional<Constant> dp_exposed_constant(const Software& software) {
  if (!software.dp_overlap.value_or(overlaps_synchronisation(software.stack))) return std::nullopt;
  return Constant::dp_exposed;
}

bool gathers_apart(const Software& software) {
  return software.dp_overlap.value_or(false) && !overlaps_synchronisation(software.stack);
}

std::optional<Constant> fsdp_exposed_constant(SoftwareClass stack) {
  if (stack == SoftwareClass::eager) return std::nullopt;
  return stack == SoftwareClass::jax ? Constant::fsdp_exposed_jax : Constant::fsdp_exposed;
}

Constant handover_constant(SoftwareClass stack) {
  return early_engine(stack) ? Constant::handover_eager : Constant::handover;
}

Constant logit_bytes_constant(LossKernel loss) {
  switch (loss) {
    case LossKernel::plain:
      return Constant::logit_bytes_unfused;
    case LossKernel::fused:
      return Constant::logit_bytes_fused;
    case LossKernel::in_place:
      return Constant::logit_bytes_in_place;
  }
  return Constant::logit_bytes_fused;
}

Constant ep_exposed_constant(const Software& software) {
  return software.expert_overlap ? Constant::ep_exposed_overlap : Constant::ep_exposed;
}

Constant imbalance_constant(const Software& software) {
  return software.dropless ? Constant::dropless_imbalance : Constant::expert_imbalance;
}

CalibratedSoftware::CalibratedSoftware(const Workload& workload) {
  using enum Constant;
  const Calibration& constants = workload.timing.constants();
  const SoftwareClass stack = workload.software.stack;
  const auto value_or = [&](std::optional<Constant> constant, double otherwise) {
    return constant ? constants[*constant] : otherwise;
  };
  elementwise = constants[elementwise_constant(stack)] *
                (workload.software.fused_norms ? 1 : constants[unfused_norms]);
  host = Seconds{constants[host_time_constant(stack)]};
  host_tp = Seconds{constants[host_time_tp_constant(stack)]};
  this->tp_exposed = constants[tp_exposed_constant(stack)];
  this->dp_exposed = value_or(dp_exposed_constant(workload.software), 1);
  this->fsdp_exposed = value_or(fsdp_exposed_constant(stack), kGatheredAhead);
  loss_traffic = stack == SoftwareClass::eager ? constants[loss_traffic_eager] : 1;
  this->handover = Seconds{constants[handover_constant(stack)]};
  logit_bytes =
      constants[logit_bytes_constant(workload.software.loss)] / real(workload.software.loss_chunks);
}

void CalibratedExplanation::add_rates() {
  using enum Constant;
  add_shape();
  const Accelerator& part = workload_.system.accelerator;
  const Generation generation = part.generation;
  Text factor{1};
  if (part.power && power_exponent(generation)) {
    const Text tdp = given("TDP", "power of the GPU", "catalog", part.power->si(), "W");
    const Text reference = given("TDP_ref", "of the part whose rates the constants describe",
                                 kSheet, reference_power(generation).si(), "W");
    factor = tell(kPower, tdp, reference, constant(*power_exponent(generation)));
  }
  const Precision precision = workload_.run.precision;
  const Text sm_share =
      given("sm_share", "processors taken by communication", "--communication-sm-share",
            workload_.software.communication_sm_share);
  const Text most = given("most_of_peak", "that any kernel sustains", kSheet, kMostOfPeak);
  const Text peak =
      given("peak", "of the silicon at the run's precision", "catalog", rates_.peak.si(), "FLOP/s");
  Text efficiency = constant(gemm_efficiency(generation, precision));
  if (precision == Precision::fp8 && workload_.software.scaling == Scaling::row) {
    efficiency = efficiency * constant(rowwise_fp8);
  }
  const auto rate_of = [&](const auto& row, Precision format, const char* symbol, const Text& of,
                           const Text& share) {
    const auto measured = measured_rate(part, format);
    if (!measured) return tell(row, sm_share, most, of, share, factor);
    const Text reached = given(symbol, "that large products were measured to reach", "catalog",
                               measured->si(), "FLOP/s");
    return tell_as({}, row, kRateAtMost(sm_share, most, of, reached, share, factor));
  };
  const Text F = rate_of(kProductRate, precision, "measured", peak, efficiency);
  const auto peak_16bit = [&](const char* symbol) {
    return given(symbol, "of the silicon in 16 bits", "catalog", rates_.peak_16bit.si(), "FLOP/s");
  };
  if (rates_.quantised) {
    const Text peak_16 = peak_16bit("peak_16");
    rate_of(kProductRate16, sixteen_bit(part), "measured_16", peak_16,
            constant(gemm_efficiency(generation, Precision::bf16)));
  } else {
    tell_as({}, kProductRate16, F);
  }
  if (workload_.software.attention != AttentionKernel::unfused) {
    const Text peak_attention = peak_16bit("peak_attn");
    const Text of_kernel = constant(attention_efficiency(generation, workload_.software.attention));
    const Text rate = kAttentionRate(sm_share, most, peak_attention, of_kernel, factor);
    tell_as({}, kAttentionRate,
            workload_.software.fp8_attention ? constant(Constant::fp8_attention) * rate : rate);
  }
  const auto reached = [&](const char* symbol, const char* meaning, BytesPerSecond bandwidth,
                           const auto& row, Constant efficiency_of) {
    const Text whole = given(symbol, meaning, "catalog", bandwidth.si(), "B/s");
    return tell(row, whole, constant(efficiency_of));
  };
  const System& system = workload_.system;
  const Text BW =
      reached("HBM", "memory bandwidth", part.memory_bandwidth, kMemoryRate, hbm_efficiency);
  reached("C_F", "HB bandwidth", system.hb_bandwidth, kHbRate, hb_efficiency(generation));
  reached("C_S", "network bandwidth", system.network_bandwidth, kNetworkRate, nic_efficiency);
  const Text shape = constant(gemm_shape);
  tell(kKappa, shape, "e"_t, F, BW);
  tell(kKappa16, shape, k16BitBytes, "F_16"_t, BW);
}

}  // namespace planner::perf
