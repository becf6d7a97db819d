#pragma once

#include <array>
#include <string_view>

#include "planner/domain/software.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/domain/system.hpp"
#include "planner/domain/transformer.hpp"

// Enumerators and their names, as files, flags and answers write them.
namespace planner {

inline constexpr std::array kPrecisions{Precision::fp32, Precision::tf32, Precision::fp16,
                                        Precision::bf16, Precision::fp8,  Precision::fp4};

constexpr std::string_view name_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::tf32:
      return "tf32";
    case Precision::fp16:
      return "fp16";
    case Precision::bf16:
      return "bf16";
    case Precision::fp8:
      return "fp8";
    case Precision::fp4:
      return "fp4";
  }
  return "";
}

inline constexpr std::array kGenerations{
    Generation::volta,  Generation::ampere,    Generation::ada,
    Generation::hopper, Generation::blackwell, Generation::cdna3,
    Generation::cdna4,  Generation::tpu,       Generation::trainium};

constexpr std::string_view name_of(Generation generation) {
  switch (generation) {
    case Generation::volta:
      return "volta";
    case Generation::ampere:
      return "ampere";
    case Generation::ada:
      return "ada";
    case Generation::hopper:
      return "hopper";
    case Generation::blackwell:
      return "blackwell";
    case Generation::cdna3:
      return "cdna3";
    case Generation::cdna4:
      return "cdna4";
    case Generation::tpu:
      return "tpu";
    case Generation::trainium:
      return "trainium";
  }
  return "";
}

inline constexpr std::array kRecomputes{Recompute::none, Recompute::selective, Recompute::full};

constexpr std::string_view name_of(Recompute recompute) {
  switch (recompute) {
    case Recompute::none:
      return "none";
    case Recompute::selective:
      return "selective";
    case Recompute::full:
      return "full";
  }
  return "";
}

inline constexpr std::array kRecomputeModules{
    RecomputeModule::core_attn,  RecomputeModule::layernorm, RecomputeModule::mlp,
    RecomputeModule::moe_act,    RecomputeModule::moe,       RecomputeModule::shared_experts,
    RecomputeModule::mla_up_proj};

/// As Megatron-Core names it: "moe_act".
constexpr std::string_view name_of(RecomputeModule module) {
  switch (module) {
    case RecomputeModule::core_attn:
      return "core_attn";
    case RecomputeModule::layernorm:
      return "layernorm";
    case RecomputeModule::mlp:
      return "mlp";
    case RecomputeModule::moe_act:
      return "moe_act";
    case RecomputeModule::moe:
      return "moe";
    case RecomputeModule::shared_experts:
      return "shared_experts";
    case RecomputeModule::mla_up_proj:
      return "mla_up_proj";
  }
  return "";
}

inline constexpr std::array kSchedules{Schedule::one_f_one_b, Schedule::interleaved,
                                       Schedule::zero_bubble_1p, Schedule::zero_bubble_2p};

constexpr std::string_view name_of(Schedule schedule) {
  switch (schedule) {
    case Schedule::one_f_one_b:
      return "1f1b";
    case Schedule::interleaved:
      return "interleaved";
    case Schedule::zero_bubble_1p:
      return "zb-1p";
    case Schedule::zero_bubble_2p:
      return "zb-2p";
  }
  return "";
}

inline constexpr std::array kSoftwareClasses{SoftwareClass::eager, SoftwareClass::flash,
                                             SoftwareClass::torch, SoftwareClass::mcore,
                                             SoftwareClass::te,    SoftwareClass::jax};

constexpr std::string_view name_of(SoftwareClass stack) {
  switch (stack) {
    case SoftwareClass::eager:
      return "eager";
    case SoftwareClass::flash:
      return "flash";
    case SoftwareClass::torch:
      return "torch";
    case SoftwareClass::mcore:
      return "mcore";
    case SoftwareClass::te:
      return "te";
    case SoftwareClass::jax:
      return "jax";
  }
  return "";
}

inline constexpr std::array kAttentionKernels{AttentionKernel::unfused, AttentionKernel::flash1,
                                              AttentionKernel::flash2, AttentionKernel::cudnn};

constexpr std::string_view name_of(AttentionKernel kernel) {
  switch (kernel) {
    case AttentionKernel::unfused:
      return "unfused";
    case AttentionKernel::flash1:
      return "flash1";
    case AttentionKernel::flash2:
      return "flash2";
    case AttentionKernel::cudnn:
      return "cudnn";
  }
  return "";
}

inline constexpr std::array kOutermost{Outermost::pipeline, Outermost::data};

constexpr std::string_view name_of(Outermost axis) {
  return axis == Outermost::data ? "dp" : "pp";
}

inline constexpr std::array kGradientSyncs{GradientSync::automatic, GradientSync::nccl,
                                           GradientSync::hfreduce};

constexpr std::string_view name_of(GradientSync sync) {
  switch (sync) {
    case GradientSync::automatic:
      return "auto";
    case GradientSync::nccl:
      return "nccl";
    case GradientSync::hfreduce:
      return "hfreduce";
  }
  return "";
}

inline constexpr std::array kPipelineSends{PipelineSends::staggered, PipelineSends::at_once};

constexpr std::string_view name_of(PipelineSends sends) {
  return sends == PipelineSends::staggered ? "staggered" : "at-once";
}

inline constexpr std::array kDispatchers{Dispatcher::alltoall, Dispatcher::deepep,
                                         Dispatcher::hybridep};

constexpr std::string_view name_of(Dispatcher dispatcher) {
  switch (dispatcher) {
    case Dispatcher::alltoall:
      return "alltoall";
    case Dispatcher::deepep:
      return "deepep";
    case Dispatcher::hybridep:
      return "hybridep";
  }
  return "";
}

inline constexpr std::array kLossKernels{LossKernel::plain, LossKernel::fused,
                                         LossKernel::in_place};

constexpr std::string_view name_of(LossKernel loss) {
  switch (loss) {
    case LossKernel::plain:
      return "plain";
    case LossKernel::fused:
      return "fused";
    case LossKernel::in_place:
      return "in-place";
  }
  return "";
}

inline constexpr std::array kNorms{Norm::layer, Norm::rms};

constexpr std::string_view name_of(Norm norm) {
  switch (norm) {
    case Norm::layer:
      return "layer";
    case Norm::rms:
      return "rms";
  }
  return "";
}

inline constexpr std::array kBiases{Biases::none, Biases::qkv, Biases::attention, Biases::all};

constexpr std::string_view name_of(Biases biases) {
  switch (biases) {
    case Biases::none:
      return "none";
    case Biases::qkv:
      return "qkv";
    case Biases::attention:
      return "attention";
    case Biases::all:
      return "all";
  }
  return "";
}

inline constexpr std::array kPositions{Positions::learned, Positions::rotary};

constexpr std::string_view name_of(Positions positions) {
  switch (positions) {
    case Positions::learned:
      return "learned";
    case Positions::rotary:
      return "rotary";
  }
  return "";
}

}  // namespace planner
