#pragma once

#include <string_view>

#include "planner/domain/software.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/domain/system.hpp"

// The names of enumerators as files, flags and answers write them.
namespace planner {

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

constexpr std::string_view name_of(Generation generation) {
  switch (generation) {
    case Generation::volta:
      return "volta";
    case Generation::ampere:
      return "ampere";
    case Generation::hopper:
      return "hopper";
    case Generation::blackwell:
      return "blackwell";
    case Generation::cdna3:
      return "cdna3";
    case Generation::cdna4:
      return "cdna4";
  }
  return "";
}

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
  }
  return "";
}

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

}  // namespace planner
