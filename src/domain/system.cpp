#include "planner/domain/system.hpp"

namespace planner {

std::optional<FlopsPerSecond> PeakRates::at(Precision precision) const {
  switch (precision) {
    case Precision::fp32:
      return fp32;
    case Precision::tf32:
      return tf32;
    case Precision::fp16:
      return fp16;
    case Precision::bf16:
      return bf16;
    case Precision::fp8:
      return fp8;
    case Precision::fp4:
      return fp4;
  }
  return std::nullopt;
}

}  // namespace planner
