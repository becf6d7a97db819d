#include "planner/domain/software.hpp"

namespace planner {

namespace {

AttentionKernel usual_attention(SoftwareClass stack) {
  switch (stack) {
    case SoftwareClass::eager:
      return AttentionKernel::unfused;
    case SoftwareClass::flash:
    case SoftwareClass::torch:
      return AttentionKernel::flash2;
    case SoftwareClass::mcore:
    case SoftwareClass::te:
      return AttentionKernel::cudnn;
  }
  return AttentionKernel::cudnn;
}

SoftwareClass usual_stack(Generation generation) {
  switch (generation) {
    case Generation::volta:
      return SoftwareClass::eager;
    case Generation::ampere:
    case Generation::ada:
      return SoftwareClass::flash;
    case Generation::hopper:
    case Generation::blackwell:
    case Generation::cdna3:
    case Generation::cdna4:
      return SoftwareClass::te;
  }
  return SoftwareClass::te;
}

}  // namespace

Software software_of(SoftwareClass stack) {
  // Megatron-Core and TE reduce fp32 main gradients; the older engines and FSDP 16-bit ones.
  const bool fp32_gradients = stack == SoftwareClass::mcore || stack == SoftwareClass::te;
  return {.stack = stack,
          .attention = usual_attention(stack),
          .tp_overlap = stack == SoftwareClass::te,
          .gradient_reduce_bytes = fp32_gradients ? 4 : 2};
}

Software default_software(Generation generation) {
  return software_of(usual_stack(generation));
}

}  // namespace planner
