#pragma once

#include <cstdint>
#include <optional>

#include "planner/domain/system.hpp"

namespace planner {

/// The training software, in the generations that differ in what they fuse and overlap.
enum class SoftwareClass {
  eager,  ///< Megatron-LM, DeepSpeed of 2020-22: no flash attention, no overlap
  flash,  ///< the same engines of 2023 with flash attention
  torch,  ///< PyTorch-native FSDP: torchtitan, Composer
  mcore,  ///< Megatron-Core with default flags
  te,     ///< NVIDIA's tuned Transformer-Engine recipes: MLPerf, NeMo, Megatron-Bridge
  jax,    ///< compiled by XLA: MaxText, Pax
};

/// How attention scores are computed.
enum class AttentionKernel {
  unfused,  ///< the scores go through memory
  flash1,   ///< FlashAttention (Dao et al. 2022)
  flash2,   ///< FlashAttention-2 (Dao 2023)
  cudnn,    ///< cuDNN's fused attention, FlashAttention-3
};

/// How tokens reach their experts.
enum class Dispatcher {
  alltoall,  ///< a copy for each of a token's experts (Megatron-Core, token_dispatcher.py)
  deepep,    ///< a copy for each GPU or domain that has one of them (DeepEP)
  hybridep,  ///< likewise (HybridEP)
};

/// How the loss layer keeps its logits.
enum class LossKernel {
  plain,     ///< operations of the framework, each with a copy
  fused,     ///< in one kernel (Megatron-Core, Transformer Engine)
  in_place,  ///< which writes gradients over 16-bit logits (flash_attn's cross entropy)
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
  bool fp8_attention = false;               ///< fused attention in 8 bits
  int moment_bytes = 4;                     ///< of each of Adam's two moments
  LossKernel loss = LossKernel::fused;
  std::int64_t loss_chunks = 1;       ///< parts of a sequence that the loss layer takes in turn
  std::int64_t offloaded_layers = 0;  ///< of a stage, whose activations lie in host memory
  /// The input of a pipeline's chunk is freed once its first norm has read it (The Llama 3 Herd of
  /// Models, arXiv 2407.21783, §3.3.2).
  bool free_stage_inputs = false;
  /// Tensor-parallel collectives overlap with the products that make or need their data:
  /// Transformer Engine's user buffers, torch's asynchronous tensor parallelism.
  bool tp_overlap = false;
  /// ZeRO 1's optimizer states lie in host memory but for the optimizer's step (Megatron-Core's
  /// --offload-optimizer-states).
  bool offloaded_optimizer = false;
  /// Micro-batches after which a pipeline drains before it fills again, at most: torch's pipelines
  /// work through one local batch at a time. 0: all of the iteration's.
  std::int64_t micro_batches_per_flush = 0;
  int gradient_reduce_bytes = 2;      ///< per parameter in the gradient reduction
  bool reshard_after_forward = true;  ///< ZeRO-3: weights are gathered again for the backward
  // On nodes whose HB domains are smaller than they.
  GradientSync gradient_sync = GradientSync::automatic;
  PipelineSends pipeline_sends = PipelineSends::staggered;
  /// Whether the gradient reduction overlaps the backward pass; nothing: as usual of the class.
  std::optional<bool> dp_overlap{};
  /// ZeRO 1 shards optimizer states over so many neighbouring GPUs; 0: over all that it can.
  std::int64_t zero1_shard_gpus = 0;
  // Of expert parallelism.
  Dispatcher dispatcher = Dispatcher::deepep;
  bool dropless = false;                 ///< no token is dropped or rerouted for balance
  bool expert_overlap = false;           ///< all-to-alls overlap another micro-batch (DualPipe)
  std::int64_t expert_domain_limit = 0;  ///< most domains that a token's experts lie in; 0: any
  int dispatch_bytes = 2;                ///< per element sent to the experts: 1 in fp8
  double communication_sm_share = 0;     ///< of the processors, taken by communication kernels

  bool operator==(const Software&) const = default;
};

/// What a user of this generation most likely runs: TE recipes on Hopper and later, flash
/// attention on Ampere and Ada, eager kernels before.
Software default_software(Generation generation);

/// A class with its usual kernels, dispatcher and gradient precision.
Software software_of(SoftwareClass stack);

}  // namespace planner
