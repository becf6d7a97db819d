#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "planner/report/emit.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;

void add_precision(Precision precision, Json& config, std::vector<std::string>& remarks) {
  switch (precision) {
    case Precision::fp32:
      return;
    case Precision::tf32:
      remarks.push_back("TF32 is a setting of PyTorch (torch.backends.cuda.matmul.allow_tf32)");
      return;
    case Precision::fp16:
      config["fp16"] = {{"enabled", true}};
      return;
    case Precision::bf16:
      config["bf16"] = {{"enabled", true}};
      return;
    case Precision::fp8:
    case Precision::fp4:
      config["bf16"] = {{"enabled", true}};
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
Emitted emit_deepspeed(const Plan& plan, const ResolvedInputs& inputs) {
  const Strategy& strategy = plan.strategy;
  const Workload& workload = inputs.workload;
  Emitted emitted{.file = "DeepSpeed configuration (ds_config.json)",
                  .comments = false,
                  .text = {},
                  .remarks = {}};
  Json config{{"train_batch_size", workload.run.global_batch},
              {"train_micro_batch_size_per_gpu", strategy.micro_batch},
              {"gradient_accumulation_steps", plan.microbatches},
              {"zero_optimization", {{"stage", strategy.zero}}}};
  if (strategy.shard_ranks > 0) {
    config["zero_optimization"]["mics_shard_size"] = strategy.shard_ranks;
    emitted.remarks.push_back(
        "MiCS shards in groups: build the model under deepspeed.zero.MiCS_Init");
  }
  if (strategy.tp.total() > 1) config["tensor_parallel"] = {{"autotp_size", strategy.tp.total()}};
  add_precision(workload.run.precision, config, emitted.remarks);
  emitted.remarks.push_back(
      fmt::format("model, data and optimizer are yours; the sequence of {} tokens is set where the "
                  "data is read",
                  workload.run.sequence));
  add_model_side(plan, workload, emitted.remarks);
  if (strategy.tp.total() > 1 && strategy.zero == 3) {
    emitted.remarks.push_back("AutoTP training is for ZeRO 0 to 2, not 3");
  }
  emitted.text = config.dump(2) + '\n';
  return emitted;
}

}  // namespace planner
