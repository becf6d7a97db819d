#pragma once

#include <cstdint>

#include "planner/domain/system.hpp"

namespace planner {

/// The training software, in the generations that differ in what they fuse and overlap.
enum class SoftwareClass {
  eager,  ///< Megatron-LM, DeepSpeed of 2020-22: no flash attention, no overlap
  flash,  ///< the same engines of 2023 with flash attention
  torch,  ///< PyTorch-native FSDP: torchtitan, Composer
  mcore,  ///< Megatron-Core with default flags
  te,     ///< NVIDIA's tuned Transformer-Engine recipes: MLPerf, NeMo, Megatron-Bridge
};

/// How attention scores are computed.
enum class AttentionKernel {
  unfused,  ///< the scores go through memory
  flash1,   ///< FlashAttention (Dao et al. 2022)
  flash2,   ///< FlashAttention-2 (Dao 2023)
  cudnn,    ///< cuDNN's fused attention, FlashAttention-3
};

/// What one scaling factor of an 8- or 4-bit format covers.
enum class Scaling { tensor, row, block };

/// What sums the gradients of data-parallel ranks.
enum class GradientSync {
  automatic,  ///< whichever takes less time on the node, of those that it can run
  nccl,       ///< rings of the GPUs
  hfreduce,   ///< the CPUs of nodes without NVSwitch (Fire-Flyer AI-HPC, arXiv 2408.14158, §IV)
};

/// When the GPUs of a node that shares its NICs send to the next stage of a pipeline.
enum class PipelineSends {
  staggered,  ///< one data-parallel rank after another, as HaiScale has them (the same, §V-B2)
  at_once,
};

/// What the calibrated timing model needs to know of the software.
struct Software {
  SoftwareClass stack = SoftwareClass::te;
  AttentionKernel attention = AttentionKernel::cudnn;
  Scaling scaling = Scaling::tensor;
  bool attention_in_framework_ops = false;  ///< unfused and without fused softmax
  bool fused_norms = true;
  bool full_cuda_graphs = false;
  bool launch_blocking = false;             ///< CUDA_LAUNCH_BLOCKING=1
  bool fp32_gradient_accumulation = false;  ///< a second, fp32 gradient buffer
  /// Tensor-parallel collectives overlap with the products that make or need their data:
  /// Transformer Engine's user buffers, torch's asynchronous tensor parallelism.
  bool tp_overlap = false;
  /// Micro-batches after which a pipeline drains before it fills again, at most: torch's pipelines
  /// work through one local batch at a time. 0: all of the iteration's.
  std::int64_t micro_batches_per_flush = 0;
  int gradient_reduce_bytes = 2;      ///< per parameter in the gradient reduction
  bool reshard_after_forward = true;  ///< ZeRO-3: weights are gathered again for the backward
  // On nodes whose HB domains are smaller than they.
  GradientSync gradient_sync = GradientSync::automatic;
  PipelineSends pipeline_sends = PipelineSends::staggered;
  // Of expert parallelism. No measured run has other values than these.
  bool expert_overlap = false;           ///< all-to-alls overlap another micro-batch (DualPipe)
  std::int64_t expert_domain_limit = 0;  ///< most domains that a token's experts lie in; 0: any
  int dispatch_bytes = 2;                ///< per element sent to the experts: 1 in fp8
  double communication_sm_share = 0;     ///< of the processors, taken by communication kernels

  bool operator==(const Software&) const = default;
};

/// What a user of this generation most likely runs: TE recipes on Hopper and later, flash
/// attention on Ampere and Ada, eager kernels before.
Software default_software(Generation generation);

/// A class with its usual attention kernel and gradient precision.
Software software_of(SoftwareClass stack);

}  // namespace planner
