#include "planner/perf/calibrated/rates.hpp"

// Which constants of the fit a generation of accelerators has.
namespace planner::inline perf {

namespace {

/// A constant that differs by generation. AMD's parts take those of the NVIDIA generation they were
/// sold against, Ada those of Ampere, Trainium those of TPU; the caller warns.
Constant by_generation(Generation generation, Constant volta, Constant ampere, Constant hopper,
                       Constant blackwell, Constant tpu) {
  switch (generation) {
    case Generation::volta:
      return volta;
    case Generation::ampere:
    case Generation::ada:
      return ampere;
    case Generation::hopper:
    case Generation::cdna3:
      return hopper;
    case Generation::blackwell:
    case Generation::cdna4:
      return blackwell;
    case Generation::tpu:
    case Generation::trainium:
      return tpu;
  }
  return hopper;
}

}  // namespace

Watts reference_power(Generation generation) {
  switch (generation) {
    case Generation::volta:
      return 300 * units::W;
    case Generation::ampere:
      return 400 * units::W;
    case Generation::ada:
      return 350 * units::W;
    case Generation::hopper:
      return 700 * units::W;
    case Generation::blackwell:
      return 1200 * units::W;
    case Generation::cdna3:
      return 750 * units::W;
    case Generation::cdna4:
      return 1400 * units::W;
    case Generation::tpu:
    case Generation::trainium:
      break;
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
  return by_generation(generation, ampere, ampere, hopper, attention_efficiency_cudnn_blackwell,
                       attention_efficiency_tpu);
}

std::optional<Constant> power_exponent(Generation generation) {
  switch (generation) {
    case Generation::hopper:
      return Constant::power_exponent_hopper;
    case Generation::blackwell:
      return Constant::power_exponent_blackwell;
    case Generation::volta:
    case Generation::ampere:
    case Generation::ada:
    case Generation::cdna3:
    case Generation::cdna4:
    case Generation::tpu:
    case Generation::trainium:
      return std::nullopt;
  }
  return std::nullopt;
}

Constant gemm_efficiency(Generation generation, Precision precision) {
  using enum Constant;
  switch (precision) {
    case Precision::fp8:
      return by_generation(generation, gemm_efficiency_fp8_hopper, gemm_efficiency_fp8_hopper,
                           gemm_efficiency_fp8_hopper, gemm_efficiency_fp8_blackwell,
                           gemm_efficiency_fp8_tpu);
    case Precision::fp4:
      return gemm_efficiency_fp4_blackwell;
    case Precision::fp32:
    case Precision::tf32:
    case Precision::fp16:
    case Precision::bf16:
      return by_generation(generation, gemm_efficiency_bf16_volta, gemm_efficiency_bf16_ampere,
                           gemm_efficiency_bf16_hopper, gemm_efficiency_bf16_blackwell,
                           gemm_efficiency_bf16_tpu);
  }
  return gemm_efficiency_bf16_hopper;
}

Constant hb_efficiency(Generation generation) {
  using enum Constant;
  return by_generation(generation, nvlink_efficiency, nvlink_efficiency, nvlink_efficiency,
                       nvlink_efficiency, ici_efficiency);
}

}  // namespace planner::perf
