#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/domain/names.hpp"
#include "planner/handover/megatron_core.hpp"
#include "planner/handover/pipeline_layout.hpp"
#include "planner/perf/calibrated/rates.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::handover {

namespace {

/// Collects "--flag value" lines that a shell continues.
class Flags {
 public:
  void add(std::string_view flag) { (text_ += text_.empty() ? "" : " \\\n") += flag; }
  void add(std::string_view flag, const auto& value) { add(fmt::format("{} {}", flag, value)); }
  [[nodiscard]] std::string text() const { return text_ + '\n'; }

 private:
  std::string text_;
};

void add_precision(const Workload& workload, Flags& flags) {
  switch (workload.run.precision) {
    case Precision::fp32:
    case Precision::tf32:
      return;  // without a flag everything is fp32
    case Precision::fp16:
      return flags.add("--fp16");
    case Precision::bf16:
      return flags.add("--bf16");
    case Precision::fp8:
      flags.add("--bf16");
      flags.add("--fp8-format", "hybrid");
      return flags.add("--fp8-recipe", fp8_recipe(workload));
    case Precision::fp4:
      flags.add("--bf16");
      flags.add("--fp4-format", "e2m1");
      return flags.add("--fp4-recipe", "nvfp4");
  }
}

void add_recompute(const Strategy& strategy, const Workload& workload, Flags& flags) {
  const RunAgain again = run_again(strategy, workload);
  const bool modules = again == RunAgain::modules;
  if (again == RunAgain::scores || modules) flags.add("--recompute-granularity", "selective");
  if (modules) {
    flags.add("--recompute-modules",
              fmt::format("{}", fmt::join(recompute_modules(strategy), " ")));
  }
  if (again != RunAgain::layers) return;
  const std::int64_t some = recomputed_layers(strategy, workload.model);
  flags.add("--recompute-granularity", "full");
  flags.add("--recompute-method", some > 0 ? "block" : "uniform");
  flags.add("--recompute-num-layers", some > 0 ? some : 1);
}

/// How tokens reach experts, as the calibrated model counts it.
void add_experts(const Software& software, Flags& flags) {
  if (software.dispatcher == Dispatcher::alltoall) {
    flags.add("--moe-token-dispatcher-type", "alltoall");
  } else {
    flags.add("--moe-token-dispatcher-type", "flex");
    flags.add("--moe-flex-dispatcher-backend", name_of(software.dispatcher));
  }
  if (!software.expert_overlap) return;
  flags.add("--overlap-moe-expert-parallel-comm");
  flags.add("--delay-wgrad-compute");
}

/// Widths of gradients and moments, and the loss layer's kernel.
void add_widths(const Plan& plan, const Workload& workload, Flags& flags) {
  const Software& software = workload.software;
  const bool bf16 = workload.run.precision != Precision::fp16;
  if (bf16 && software.gradient_reduce_bytes == 2) flags.add("--grad-reduce-in-bf16");
  if (plan.strategy.zero >= 1 && software.moment_bytes == 2) {
    flags.add("--use-precision-aware-optimizer");
    flags.add("--exp-avg-dtype", "bf16");
    flags.add("--exp-avg-sq-dtype", "bf16");
  }
  if (software.loss != LossKernel::plain) flags.add("--cross-entropy-loss-fusion");
  if (software.offloaded_layers > 0) {
    flags.add("--cpu-offloading-num-layers", software.offloaded_layers);
  }
  if (software.offloaded_optimizer && plan.strategy.zero == 1) {
    flags.add("--offload-optimizer-states");
  }
  const std::int64_t copies = optimizer_copies(plan.strategy, workload);
  if (copies > 1) flags.add("--num-distributed-optimizer-instances", copies);
}

/// Flags of what the calibration's software class `te` was measured with.
void add_overlap(const Software& software, const Strategy& strategy, Flags& flags) {
  if (strategy.tp.total() > 1 && overlaps_tensor_parallelism(software, strategy)) {
    flags.add("--tp-comm-overlap");
  }
  if (strategy.dp.total() * strategy.cp.total() == 1) return;
  if (!software.dp_overlap.value_or(true)) return;
  flags.add("--overlap-grad-reduce");
  if (strategy.zero >= 1) flags.add("--overlap-param-gather");
}

/// ZeRO 1 is Megatron's distributed optimizer; 2 and 3 are what Megatron-FSDP calls its sharding
/// strategies (Megatron-LM docs, "Megatron-FSDP": its required configurations).
void add_sharding(const Strategy& strategy, Flags& flags) {
  const int zero = strategy.zero;
  if (zero == 0) return;
  flags.add("--use-distributed-optimizer");
  if (zero == 1) return;
  flags.add("--use-megatron-fsdp");
  flags.add("--data-parallel-sharding-strategy", zero == 2 ? "optim_grads" : "optim_grads_params");
  if (strategy.shard_ranks > 0) {
    flags.add("--num-distributed-optimizer-instances", strategy.replicas());
    flags.add("--outer-dp-sharding-strategy", "no_shard");
  }
  flags.add("--no-gradient-accumulation-fusion");
  flags.add("--ckpt-format", "fsdp_dtensor");
}

/// What megatron/training/arguments.py asserts of these flags.
void add_asserted(const Plan& plan, const Workload& workload, std::vector<std::string>& remarks) {
  const Strategy& strategy = plan.strategy;
  const bool contexts = strategy.cp.total() > 1, experts = strategy.ep.total() > 1;
  const bool blackwell = workload.system.accelerator.generation == Generation::blackwell;
  if (strategy.zero >= 2) {
    remarks.push_back("Megatron-FSDP refuses CUDA_DEVICE_MAX_CONNECTIONS=1 in the environment");
  } else if ((strategy.tp.total() > 1 || contexts) && !blackwell) {
    remarks.push_back(
        "set CUDA_DEVICE_MAX_CONNECTIONS=1 in the environment: Megatron-LM asks for it with tensor "
        "or context parallelism before Blackwell");
  }
  if (workload.run.precision == Precision::fp16 && experts) {
    remarks.push_back("Megatron-LM refuses fp16 with expert parallelism; bf16 has the same speed");
  }
  if (rank_order(strategy, workload) == RankOrder::tp_cp_pp_dp && (contexts || experts)) {
    remarks.push_back(
        "older versions of Megatron-LM refuse --use-tp-pp-dp-mapping together with context or "
        "expert parallelism");
  }
  if (strategy.zero >= 2 && strategy.pp.total() > 1) {
    remarks.push_back("check that your version combines Megatron-FSDP with pipeline parallelism");
  }
}

}  // namespace

// Flags as defined in megatron/training/arguments.py of NVIDIA/Megatron-LM and shown in its
// docs/ (parallelism guide, Megatron-FSDP guide).
Emitted megatron(const Plan& plan, const Workload& workload) {
  const Strategy& strategy = plan.strategy;
  Flags flags;
  flags.add("--tensor-model-parallel-size", strategy.tp.total());
  flags.add("--pipeline-model-parallel-size", strategy.pp.total());
  if (needs_layout(strategy, workload.model)) {
    flags.add("--pipeline-model-parallel-layout",
              fmt::format("\"{}\"", pipeline_layout(strategy, workload.model)));
  } else if (interleaved_chunks(strategy) > 1) {
    flags.add("--num-layers-per-virtual-pipeline-stage",
              layers_per_chunk(strategy, workload.model));
  }
  if (const auto group = group_besides(plan)) {
    flags.add("--microbatch-group-size-per-virtual-pipeline-stage", *group);
  }
  if (const auto left = layers_left(strategy, workload.model)) {
    flags.add("--decoder-last-pipeline-num-layers", *left);
  }
  if (ends_share(strategy, workload.model)) {
    flags.add("--account-for-embedding-in-pipeline-split");
    flags.add("--account-for-loss-in-pipeline-split");
  }
  flags.add("--context-parallel-size", strategy.cp.total());
  if (workload.model.moe) {
    flags.add("--expert-model-parallel-size", strategy.ep.total());
    flags.add("--expert-tensor-parallel-size", strategy.expert_tp);
  }
  if (strategy.sequence_parallel && strategy.tp.total() > 1) flags.add("--sequence-parallel");
  if (rank_order(strategy, workload) == RankOrder::tp_cp_pp_dp) {
    flags.add("--use-tp-pp-dp-mapping");
  }
  flags.add("--micro-batch-size", strategy.micro_batch);
  flags.add("--global-batch-size", workload.run.global_batch);
  flags.add("--seq-length", workload.run.sequence);
  add_recompute(strategy, workload, flags);
  add_sharding(strategy, flags);
  if (overlaps(workload)) add_overlap(workload.software, strategy, flags);
  if (core_software(workload)) {
    add_widths(plan, workload, flags);
    if (workload.model.moe) add_experts(workload.software, flags);
  }
  add_precision(workload, flags);
  Emitted emitted{
      .file = "Megatron-LM flags", .text = flags.text(), .remarks = shared_remarks(plan, workload)};
  if (workload.model.moe && core_software(workload) && !workload.software.dropless) {
    emitted.remarks.push_back(
        "the time counts on balanced routing, as measured runs force it "
        "(--moe-router-force-load-balancing); a dropless run as it comes took 9 to 25 % longer");
  }
  add_asserted(plan, workload, emitted.remarks);
  return emitted;
}

}  // namespace planner::handover
