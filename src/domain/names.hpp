#pragma once

#include <string_view>

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
    case Schedule::zero_bubble:
      return "zero-bubble";
  }
  return "";
}

}  // namespace planner
