#include <fmt/format.h>

#include <algorithm>

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

void add_precision(Precision precision, Flags& flags) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return;  // without a flag everything is fp32
    case Precision::fp16:
      return flags.add("--fp16");
    case Precision::bf16:
      return flags.add("--bf16");
    case Precision::fp8:
      flags.add("--bf16");
      return flags.add("--fp8-format", "hybrid");
    case Precision::fp4:
      flags.add("--bf16");
      return flags.add("--fp4-format", "e2m1");
  }
}

void add_recompute(RunAgain again, Flags& flags) {
  if (again == RunAgain::scores) flags.add("--recompute-granularity", "selective");
  if (again != RunAgain::layers) return;
  flags.add("--recompute-granularity", "full");
  flags.add("--recompute-method", "uniform");
  flags.add("--recompute-num-layers", 1);
}

/// Flags of what the calibration's software class `te` was measured with.
void add_overlap(const Software& software, const Strategy& strategy, Flags& flags) {
  if (strategy.tp.total() > 1 && overlaps_tensor_parallelism(software, strategy)) {
    flags.add("--tp-comm-overlap");
  }
  if (strategy.dp.total() * strategy.cp.total() == 1) return;
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
  add_recompute(run_again(strategy, workload), flags);
  add_sharding(strategy, flags);
  if (overlaps(workload)) add_overlap(workload.software, strategy, flags);
  add_precision(workload.run.precision, flags);
  Emitted emitted{
      .file = "Megatron-LM flags", .text = flags.text(), .remarks = shared_remarks(plan, workload)};
  add_asserted(plan, workload, emitted.remarks);
  return emitted;
}

}  // namespace planner::handover
