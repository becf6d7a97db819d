#include "planner/domain/software.hpp"

namespace planner {

namespace {

AttentionKernel usual_attention(SoftwareClass stack) {
  switch (stack) {
    case SoftwareClass::eager:
      return AttentionKernel::unfused;
    case SoftwareClass::flash:
    case SoftwareClass::torch:
    case SoftwareClass::jax:
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
    case Generation::tpu:
    case Generation::trainium:
      return SoftwareClass::jax;
  }
  return SoftwareClass::te;
}

}  // namespace

Software software_of(SoftwareClass stack) {
  // Megatron-Core reduces fp32 main gradients unless told otherwise; NVIDIA's tuned recipes 16-bit
  // ones (Megatron-Bridge's mixed precision, grad_reduce_in_fp32=False; MLPerf), as do the older
  // engines and FSDP.
  const bool core = stack == SoftwareClass::mcore, tuned = stack == SoftwareClass::te;
  // XLA compiles a step: the device launches its kernels by itself, as of a CUDA graph, and
  // products overlap the collectives that they wait for (Wang et al. 2023,
  // doi 10.1145/3567955.3567959).
  const bool compiled = stack == SoftwareClass::jax;
  return {.stack = stack,
          .attention = usual_attention(stack),
          .full_cuda_graphs = compiled,
          .loss = compiled        ? LossKernel::in_place
                  : core || tuned ? LossKernel::fused
                                  : LossKernel::plain,
          .tp_overlap = tuned || compiled,
          .gradient_reduce_bytes = core ? 4 : 2,
          .dispatcher = core ? Dispatcher::alltoall : Dispatcher::deepep};
}

Software default_software(Generation generation) {
  return software_of(usual_stack(generation));
}

}  // namespace planner
