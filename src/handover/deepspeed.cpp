#include <fmt/format.h>

#include <utility>
#include <vector>

#include "planner/handover/stacks.hpp"

namespace planner::handover {

namespace {

using Entries = std::vector<std::string>;

std::string entry(const char* key, const auto& value) {
  return fmt::format("\"{}\": {}", key, value);
}

/// A JSON object, set in by `indent`.
std::string object(const Entries& entries, const std::string& indent) {
  const std::string inner = indent + "  ";
  return fmt::format("{{\n{}{}\n{}}}", inner, fmt::join(entries, ",\n" + inner), indent);
}

void add_precision(Precision precision, Entries& config, std::vector<std::string>& remarks) {
  const auto enable = [&](const char* key) {
    config.push_back(entry(key, object({entry("enabled", true)}, "  ")));
  };
  switch (precision) {
    case Precision::fp32:
      return;
    case Precision::tf32:
      remarks.push_back(kTf32);
      return;
    case Precision::fp16:
      return enable("fp16");
    case Precision::bf16:
      return enable("bf16");
    case Precision::fp8:
    case Precision::fp4:
      enable("bf16");
      remarks.push_back(
          fmt::format("{} is not set: it comes with the layers of the model (Transformer Engine), "
                      "not with DeepSpeed's configuration",
                      precision == Precision::fp8 ? "FP8" : "FP4"));
      return;
  }
}

/// What DeepSpeed takes from the model's code, not from its configuration.
void add_model_side(const Plan& plan, const Workload& workload, std::vector<std::string>& remarks) {
  const Strategy& strategy = plan.strategy;
  if (auto remark = remark_on_flushes(plan, workload)) remarks.push_back(*std::move(remark));
  const std::int64_t p = strategy.pp.total();
  if (p > 1) {
    remarks.push_back(fmt::format(
        "the pipeline is built in your code: deepspeed.pipe.PipelineModule(…, num_stages={})", p));
  }
  if (interleaved_chunks(strategy) > 1) {
    remarks.push_back(
        fmt::format("interleave {} cannot be set: DeepSpeed runs 1F1B, with a bubble {} times as "
                    "long",
                    strategy.interleave, strategy.interleave));
  }
  if (p > 1 && strategy.zero >= 2) {
    remarks.push_back(
        fmt::format("DeepSpeed refuses ZeRO {} together with a pipeline", strategy.zero));
  }
  if (strategy.cp.total() > 1) {
    remarks.push_back(
        fmt::format("context parallelism {} is not set: DeepSpeed's own is Ulysses, "
                    "set up in your code, with all-to-alls in place of a ring",
                    strategy.cp.total()));
  }
  if (workload.model.moe) {
    remarks.push_back(
        fmt::format("experts are placed in your code: deepspeed.moe.layer.MoE(…, ep_size={})",
                    strategy.ep.total()));
    if (strategy.expert_tp != strategy.tp.total()) {
      remarks.push_back(fmt::format("expert tensor parallelism {} is not set", strategy.expert_tp));
    }
  }
  if (strategy.sequence_parallel && strategy.tp.total() > 1) {
    remarks.push_back(
        "Megatron's sequence parallelism is not set: AutoTP has none, so norms and "
        "dropout need more memory than planned");
  }
  const RunAgain again = run_again(strategy, workload);
  if (again != RunAgain::nothing) {
    remarks.push_back(fmt::format(
        "{} recomputation is switched on in your code: deepspeed.checkpointing.checkpoint()",
        again == RunAgain::layers ? "full" : "selective"));
  }
}

}  // namespace

// Keys of DeepSpeed's configuration, https://www.deepspeed.ai/docs/config-json/ (docs/_pages/
// config-json.md of deepspeedai/DeepSpeed) and, for AutoTP, deepspeed/runtime/tensor_parallel/
// config.py. DeepSpeed itself reads Hjson, which may hold comments; Hugging Face's Accelerate and
// Trainer read the same file as JSON, which may not.
Emitted deepspeed(const Plan& plan, const Workload& workload) {
  const Strategy& strategy = plan.strategy;
  Emitted emitted{.file = "DeepSpeed configuration (ds_config.json)",
                  .comments = false,
                  .text = {},
                  .remarks = {}};
  Entries sharding{entry("stage", strategy.zero)};
  if (strategy.shard_ranks > 0) {
    sharding.push_back(entry("mics_shard_size", strategy.shard_ranks));
    emitted.remarks.push_back(
        "MiCS shards in groups: build the model under deepspeed.zero.MiCS_Init");
  }
  Entries config{entry("train_batch_size", workload.run.global_batch),
                 entry("train_micro_batch_size_per_gpu", strategy.micro_batch),
                 entry("gradient_accumulation_steps", plan.microbatches),
                 entry("zero_optimization", object(sharding, "  "))};
  if (strategy.tp.total() > 1) {
    const Entries degree{entry("autotp_size", strategy.tp.total())};
    config.push_back(entry("tensor_parallel", object(degree, "  ")));
  }
  add_precision(workload.run.precision, config, emitted.remarks);
  emitted.remarks.push_back(
      fmt::format("model, data and optimizer are yours; the sequence of {} tokens is set where the "
                  "data is read",
                  workload.run.sequence));
  add_model_side(plan, workload, emitted.remarks);
  if (strategy.tp.total() > 1 && strategy.zero == 3) {
    emitted.remarks.push_back("AutoTP training is for ZeRO 0 to 2, not 3");
  }
  emitted.text = object(config, "") + '\n';
  return emitted;
}

}  // namespace planner::handover
