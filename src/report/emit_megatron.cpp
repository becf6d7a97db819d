#include <fmt/format.h>

#include <algorithm>

#include "planner/perf/calibrated_rates.hpp"
#include "planner/perf/degree_rules.hpp"
#include "planner/report/emit.hpp"
#include "planner/report/pipeline_layout.hpp"

// Megatron-LM and NeMo, which is built on Megatron Core: the same settings under other names.
namespace planner {

namespace {

void add_layout_remarks(const Strategy& strategy, const TransformerSpec& model,
                        std::vector<std::string>& remarks) {
  if (model.mtp_layers > 0) {
    remarks.push_back(fmt::format(
        "the layout places {} MTP layer{}: the model must have as many (mtp_num_layers)",
        model.mtp_layers, model.mtp_layers == 1 ? "" : "s"));
  }
  // The last chunk has the loss layer; https://github.com/NVIDIA/Megatron-LM/issues/1852.
  const std::vector<std::int64_t> layers = layers_of_chunks(strategy, model);
  if (std::find(layers.begin(), layers.end() - 1, 0) != layers.end() - 1) {
    remarks.push_back(
        "the last stage has fewer layers than chunks, and Megatron Core may not run empty ones "
        "(issue 1852 of Megatron-LM): a lower --interleave avoids them");
  }
}

/// What neither of the two can be told, or asks for besides.
std::vector<std::string> shared_remarks(const Plan& plan, const ResolvedInputs& inputs) {
  const Strategy& strategy = plan.strategy;
  const std::int64_t p = strategy.pp.total();
  std::vector<std::string> remarks;
  if (auto remark = remark_on_flushes(plan, inputs.workload)) remarks.push_back(*std::move(remark));
  if (strategy.interleave > 1 && p == 1) {
    remarks.push_back("interleaving is left out: there is no pipeline to interleave");
  }
  const TransformerSpec& model = inputs.workload.model;
  if (needs_layout(strategy, model)) add_layout_remarks(strategy, model, remarks);
  if (strategy.sequence_parallel && strategy.tp.total() == 1) {
    remarks.push_back("sequence parallelism is left out: it shards over tensor parallel ranks");
  }
  if (rank_order(strategy, inputs.usable_hb_domain) == RankOrder::other) {
    remarks.push_back(fmt::format(
        "the plan puts tp {}, cp {}, pp {} and dp {} ranks into an HB domain; no rank order of "
        "Megatron does, so the time will differ",
        strategy.tp.hb, strategy.cp.hb, strategy.pp.hb, strategy.dp.hb));
  }
  if (strategy.schedule() == Schedule::zero_bubble_1p ||
      strategy.schedule() == Schedule::zero_bubble_2p) {
    remarks.push_back("the zero-bubble schedule is not in Megatron Core: it runs 1F1B");
  }
  if (run_again(strategy, inputs.workload) == RunAgain::torch_selective) {
    remarks.push_back(
        "the selective recomputation of the software class torch is not in Megatron Core: nothing "
        "is recomputed, so each GPU needs more memory than planned");
  }
  if (inputs.workload.run.precision == Precision::tf32) {
    remarks.push_back("TF32 is a setting of PyTorch (torch.backends.cuda.matmul.allow_tf32)");
  }
  return remarks;
}

/// Layers of the last stage where it alone has fewer than the others; nothing where all are alike,
/// the ends share, or chunks are interleaved.
std::optional<std::int64_t> layers_left(const Strategy& strategy, const TransformerSpec& model) {
  const std::int64_t p = strategy.pp.total();
  const bool apart = interleaved_chunks(strategy) > 1 || ends_share(strategy, model);
  if (model.layers % p == 0 || apart) return std::nullopt;
  return model.layers - (p - 1) * layers_per_chunk(strategy, model);
}

/// Micro-batches that Megatron's chunks take turns at, where that is not the number of stages.
std::optional<std::int64_t> group_besides(const Plan& plan) {
  if (interleaved_chunks(plan.strategy) == 1) return std::nullopt;
  const std::int64_t p = plan.strategy.pp.total();
  const std::int64_t group = interleaving_group(p, plan.microbatches);
  return group == p ? std::nullopt : std::optional{group};
}

/// Whether the plan's time counts on collectives that overlap with products.
bool overlaps(const Workload& workload) {
  return workload.calibration && workload.software.stack == SoftwareClass::te;
}

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
void add_sharding(int zero, Flags& flags) {
  if (zero == 0) return;
  flags.add("--use-distributed-optimizer");
  if (zero == 1) return;
  flags.add("--use-megatron-fsdp");
  flags.add("--data-parallel-sharding-strategy", zero == 2 ? "optim_grads" : "optim_grads_params");
  flags.add("--no-gradient-accumulation-fusion");
  flags.add("--ckpt-format", "fsdp_dtensor");
}

/// What megatron/training/arguments.py asserts of these flags.
void add_asserted(const Plan& plan, const ResolvedInputs& inputs,
                  std::vector<std::string>& remarks) {
  const Strategy& strategy = plan.strategy;
  const Workload& workload = inputs.workload;
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
  if (rank_order(strategy, inputs.usable_hb_domain) == RankOrder::tp_cp_pp_dp &&
      (contexts || experts)) {
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
Emitted emit_megatron(const Plan& plan, const ResolvedInputs& inputs) {
  const Strategy& strategy = plan.strategy;
  const Workload& workload = inputs.workload;
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
  if (rank_order(strategy, inputs.usable_hb_domain) == RankOrder::tp_cp_pp_dp) {
    flags.add("--use-tp-pp-dp-mapping");
  }
  flags.add("--micro-batch-size", strategy.micro_batch);
  flags.add("--global-batch-size", workload.run.global_batch);
  flags.add("--seq-length", workload.run.sequence);
  add_recompute(run_again(strategy, workload), flags);
  add_sharding(strategy.zero, flags);
  if (overlaps(workload)) add_overlap(workload.software, strategy, flags);
  add_precision(workload.run.precision, flags);
  Emitted emitted{
      .file = "Megatron-LM flags", .text = flags.text(), .remarks = shared_remarks(plan, inputs)};
  add_asserted(plan, inputs, emitted.remarks);
  return emitted;
}

namespace {

/// A precision of NeMo's recipes.
struct NemoPrecision {
  std::string_view plugin;  ///< of nemo.collections.llm.recipes.precision; empty: none
  std::string_view dtype;   ///< of what pipeline stages send each other
};

NemoPrecision nemo_precision(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return {"", "torch.float32"};
    case Precision::fp16:
      return {"fp16_mixed", "torch.float16"};
    case Precision::bf16:
    case Precision::fp4:  // which NeMo's recipes do not have
      return {"bf16_mixed", "torch.bfloat16"};
    case Precision::fp8:
      return {"bf16_with_fp8_mixed", "torch.bfloat16"};
  }
  return {};
}

std::string nemo_imports(const NemoPrecision& precision, bool pipeline) {
  std::string lines;
  if (pipeline) lines += "import torch\n";
  if (!precision.plugin.empty()) {
    lines += fmt::format("from nemo.collections.llm.recipes.precision.mixed_precision import {}\n",
                         precision.plugin);
  }
  return lines.empty() ? lines : lines + '\n';
}

/// GPUs of a host, as in DGX and HGX servers; an HB domain may have fewer or span several hosts.
constexpr std::int64_t kHostGpus = 8;

}  // namespace

// Attributes of a NeMo 2.0 pretraining recipe: the arguments of MegatronStrategy
// (nemo/lightning/pytorch/strategies/megatron_strategy.py) and those that NVIDIA/NeMo's
// scripts/performance/ set on recipes; precisions of
// nemo/collections/llm/recipes/precision/mixed_precision.py.
Emitted emit_nemo(const Plan& plan, const ResolvedInputs& inputs) {
  const Strategy& strategy = plan.strategy;
  const Workload& workload = inputs.workload;
  Emitted emitted{.file = "NeMo 2.0: settings of a pretraining recipe (Python)",
                  .text = {},
                  .remarks = shared_remarks(plan, inputs)};
  const auto set = [&text = emitted.text](std::string_view attribute, const auto& value) {
    text += fmt::format("recipe.{} = {}\n", attribute, value);
  };
  const std::int64_t chunks = interleaved_chunks(strategy);
  const NemoPrecision precision = nemo_precision(workload.run.precision);
  const bool pipeline = strategy.pp.total() > 1;
  emitted.text = nemo_imports(precision, pipeline);
  const std::int64_t devices = usable_hb_domain(kHostGpus, workload.gpus);
  set("trainer.num_nodes", workload.gpus / devices);
  set("trainer.devices", devices);
  if (devices != inputs.usable_hb_domain) {
    emitted.remarks.push_back(
        fmt::format("hosts are taken to have {} GPUs each: with others, num_nodes times devices "
                    "stays {}",
                    devices, workload.gpus));
  }
  set("trainer.strategy.tensor_model_parallel_size", strategy.tp.total());
  set("trainer.strategy.pipeline_model_parallel_size", strategy.pp.total());
  if (pipeline) set("trainer.strategy.pipeline_dtype", precision.dtype);
  set("trainer.strategy.virtual_pipeline_model_parallel_size",
      chunks > 1 ? std::to_string(chunks) : "None");
  if (needs_layout(strategy, workload.model)) {
    set("trainer.strategy.pipeline_model_parallel_layout",
        fmt::format("\"{}\"", pipeline_layout(strategy, workload.model)));
  }
  if (const auto group = group_besides(plan)) {
    set("trainer.strategy.microbatch_group_size_per_vp_stage", *group);
  }
  if (const auto left = layers_left(strategy, workload.model)) {
    set("trainer.strategy.num_layers_in_last_pipeline_stage", *left);
  }
  if (ends_share(strategy, workload.model)) {
    set("trainer.strategy.account_for_embedding_in_pipeline_split", "True");
    set("trainer.strategy.account_for_loss_in_pipeline_split", "True");
  }
  set("trainer.strategy.context_parallel_size", strategy.cp.total());
  if (workload.model.moe) {
    set("trainer.strategy.expert_model_parallel_size", strategy.ep.total());
    set("trainer.strategy.expert_tensor_parallel_size", strategy.expert_tp);
  }
  set("trainer.strategy.sequence_parallel",
      strategy.sequence_parallel && strategy.tp.total() > 1 ? "True" : "False");
  if (rank_order(strategy, inputs.usable_hb_domain) == RankOrder::tp_cp_pp_dp) {
    set("trainer.strategy.use_tp_pp_dp_mapping", "True");
  }
  set("data.micro_batch_size", strategy.micro_batch);
  set("data.global_batch_size", workload.run.global_batch);
  set("data.seq_length", workload.run.sequence);
  set("model.config.seq_length", workload.run.sequence);
  const RunAgain again = run_again(strategy, workload);
  const bool full = again == RunAgain::layers;
  set("model.config.recompute_granularity", full                        ? "\"full\""
                                            : again == RunAgain::scores ? "\"selective\""
                                                                        : "None");
  if (full) {
    set("model.config.recompute_method", "\"uniform\"");
    set("model.config.recompute_num_layers", 1);
  }
  set("optim.config.use_distributed_optimizer", strategy.zero >= 1 ? "True" : "False");
  if (overlaps(workload)) {
    emitted.remarks.push_back(
        "the time counts on MegatronCommOverlapCallback: tp_comm_overlap, overlap_grad_reduce and "
        "overlap_param_gather");
  }
  if (strategy.zero >= 2) {
    emitted.remarks.push_back(fmt::format(
        "ZeRO {} is not set: NeMo's recipes shard optimizer states only (ZeRO 1), so each GPU "
        "needs more memory than planned",
        strategy.zero));
  }
  set("trainer.plugins", precision.plugin.empty() ? "None" : fmt::format("{}()", precision.plugin));
  if (workload.run.precision == Precision::fp4) {
    emitted.remarks.push_back("NeMo's recipes have no FP4 precision: this one is bf16");
  }
  return emitted;
}

}  // namespace planner
