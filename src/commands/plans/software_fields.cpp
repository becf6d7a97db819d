
#include "planner/commands/parts/younger_field.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/domain/names.hpp"
#include "planner/json/answer_fields.hpp"

namespace planner::commands {

using namespace json;

const FieldTable<Software>& software_fields() {
  using S = Software;
  const auto count = written_as<int>(
      whole(), [](int n) { return std::int64_t{n}; },
      [](std::int64_t n) { return static_cast<int>(n); });
  static const FieldTable<S> kTable{
      .type = "software",
      .doc = "what trains",
      .fields =
          {required("class", &S::stack, json::choice(kSoftwareClasses), "generation"),
           required("attention", &S::attention, json::choice(kAttentionKernels), "kernel"),
           required("gradient_reduce_bytes", &S::gradient_reduce_bytes, count, "per parameter"),
           required("tp_overlap", &S::tp_overlap, boolean(), "tensor parallelism behind products"),
           added("dp_overlap", &S::dp_overlap, or_null(boolean()),
                 "gradient reduction behind the backward pass; null: as usual"),
           added("moment_bytes", &S::moment_bytes, count, "of each of Adam's"),
           added("zero1_shard_gpus", &S::zero1_shard_gpus, whole(), "0: all"),
           added("fp8_attention", &S::fp8_attention, boolean(), "8 bits in attention"),
           added("loss", &S::loss, json::choice(kLossKernels), "kernel of the loss layer"),
           added("loss_chunks", &S::loss_chunks, whole(), "taken in turn"),
           added("offloaded_layers", &S::offloaded_layers, whole(),
                 "of a stage, whose activations lie in host memory"),
           added("free_stage_inputs", &S::free_stage_inputs, boolean(),
                 "of a pipeline's chunk, after its first norm"),
           added("offloaded_optimizer", &S::offloaded_optimizer, boolean(),
                 "ZeRO 1's states lie in host memory but for its step"),
           added("dispatcher", &S::dispatcher, json::choice(kDispatchers), "of tokens to experts"),
           added("dropless", &S::dropless, boolean(), "routing is not balanced"),
           required("micro_batches_per_flush", &S::micro_batches_per_flush, whole(),
                    "0: all of the iteration's"),
           required("expert_overlap", &S::expert_overlap, boolean(),
                    "all-to-alls behind another micro-batch"),
           required("expert_domain_limit", &S::expert_domain_limit, whole(), "0: any"),
           required("dispatch_bytes", &S::dispatch_bytes, count, "per element"),
           required("communication_sm_share", &S::communication_sm_share, figure(),
                    "of the processors")},
      .open = true};
  return kTable;
}

}  // namespace planner::commands
