#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/handover/megatron_core.hpp"
#include "planner/handover/pipeline_layout.hpp"
#include "planner/perf/model/degree_rules.hpp"

namespace planner::handover {

namespace {

/// The recipe with Megatron-Core's scaling of that name.
std::string_view nemo_fp8(std::string_view recipe) {
  if (recipe == "mxfp8") return "bf16_with_mxfp8_mixed";
  return recipe == "blockwise" ? "bf16_with_fp8_subchannel_scaling_mixed"
                               : "bf16_with_fp8_current_scaling_mixed";
}

/// A precision of NeMo's recipes.
struct NemoPrecision {
  std::string_view plugin;  ///< of nemo.collections.llm.recipes.precision; empty: none
  std::string_view dtype;   ///< of what pipeline stages send each other
};

NemoPrecision nemo_precision(const Workload& workload) {
  switch (workload.run.precision) {
    case Precision::fp32:
    case Precision::tf32:
      return {"", "torch.float32"};
    case Precision::fp16:
      return {"fp16_mixed", "torch.float16"};
    case Precision::bf16:
    case Precision::fp4:  // which NeMo's recipes do not have
      return {"bf16_mixed", "torch.bfloat16"};
    case Precision::fp8:
      return {nemo_fp8(fp8_recipe(workload)), "torch.bfloat16"};
  }
  return {};
}

/// Whether Adam's moments have 16 bits.
bool half_moments(const Plan& plan, const Workload& workload) {
  return core_software(workload) && plan.strategy.zero >= 1 && workload.software.moment_bytes == 2;
}

/// Of the settings, by attribute and value.
using Settings = std::vector<std::pair<std::string_view, std::string_view>>;

/// How tokens reach experts, as the calibrated model counts it.
void add_experts(const Software& software, Settings& settings) {
  if (software.dispatcher == Dispatcher::alltoall) {
    settings.emplace_back("model.config.moe_token_dispatcher_type", "\"alltoall\"");
  } else {
    settings.emplace_back("model.config.moe_token_dispatcher_type", "\"flex\"");
    if (software.dispatcher == Dispatcher::deepep) {
      settings.emplace_back("model.config.moe_enable_deepep", "True");
    } else {
      settings.emplace_back("model.config.moe_flex_dispatcher_backend", "\"hybridep\"");
    }
  }
  if (!software.expert_overlap) return;
  settings.emplace_back("model.config.overlap_moe_expert_parallel_comm", "True");
  settings.emplace_back("model.config.delay_wgrad_compute", "True");
}

/// The calibrated model's widths of moments, and the loss layer's kernel.
void add_widths(const Plan& plan, const Workload& workload, Settings& settings) {
  if (half_moments(plan, workload)) {
    settings.emplace_back("optim.config.use_precision_aware_optimizer", "True");
    settings.emplace_back("optim.config.exp_avg_dtype", "torch.bfloat16");
    settings.emplace_back("optim.config.exp_avg_sq_dtype", "torch.bfloat16");
  }
  if (workload.software.loss != LossKernel::plain) {
    settings.emplace_back("model.config.cross_entropy_loss_fusion", "True");
  }
}

/// What of the counted overlap the recipe's callback is to have.
std::string callback_remark(const Software& software) {
  std::string remark = "the time counts on MegatronCommOverlapCallback: tp_comm_overlap";
  if (software.dp_overlap.value_or(true))
    remark += ", overlap_grad_reduce and overlap_param_gather";
  return remark;
}

std::string nemo_imports(const NemoPrecision& precision, bool torch) {
  std::string lines;
  if (torch) lines += "import torch\n";
  if (!precision.plugin.empty()) {
    lines += fmt::format("from nemo.collections.llm.recipes.precision.mixed_precision import {}\n",
                         precision.plugin);
  }
  return lines.empty() ? lines : lines + '\n';
}

}  // namespace

// Attributes of a NeMo 2.0 pretraining recipe: the arguments of MegatronStrategy
// (nemo/lightning/pytorch/strategies/megatron_strategy.py) and those that NVIDIA/NeMo's
// scripts/performance/ set on recipes; precisions of
// nemo/collections/llm/recipes/precision/mixed_precision.py.
Emitted nemo(const Plan& plan, const Workload& workload) {
  const Strategy& strategy = plan.strategy;
  Emitted emitted{.file = "NeMo 2.0: settings of a pretraining recipe (Python)",
                  .text = {},
                  .remarks = shared_remarks(plan, workload)};
  const auto set = [&text = emitted.text](std::string_view attribute, const auto& value) {
    text += fmt::format("recipe.{} = {}\n", attribute, value);
  };
  const std::int64_t chunks = interleaved_chunks(strategy);
  const NemoPrecision precision = nemo_precision(workload);
  const bool pipeline = strategy.pp.total() > 1;
  emitted.text = nemo_imports(precision, pipeline || half_moments(plan, workload));
  // A host is a node, as in DGX and HGX servers: HB domains may be smaller or span several.
  constexpr std::int64_t kGpusPerHost = 8;
  const std::int64_t devices = largest_divisor(workload.gpus, kGpusPerHost);
  set("trainer.num_nodes", workload.gpus / devices);
  set("trainer.devices", devices);
  if (devices != usable_hb_domain(workload.system.hb_domain, workload.gpus)) {
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
  if (rank_order(strategy, workload) == RankOrder::tp_cp_pp_dp) {
    set("trainer.strategy.use_tp_pp_dp_mapping", "True");
  }
  set("data.micro_batch_size", strategy.micro_batch);
  set("data.global_batch_size", workload.run.global_batch);
  set("data.seq_length", workload.run.sequence);
  set("model.config.seq_length", workload.run.sequence);
  const RunAgain again = run_again(strategy, workload);
  const bool full = again == RunAgain::layers;
  const bool modules = again == RunAgain::modules;
  const bool selective = again == RunAgain::scores || modules;
  set("model.config.recompute_granularity", full        ? "\"full\""
                                            : selective ? "\"selective\""
                                                        : "None");
  if (modules) {
    set("model.config.recompute_modules",
        fmt::format("[\"{}\"]", fmt::join(recompute_modules(strategy), "\", \"")));
  }
  if (full) {
    const std::int64_t some = recomputed_layers(strategy, workload.model);
    set("model.config.recompute_method", some > 0 ? "\"block\"" : "\"uniform\"");
    set("model.config.recompute_num_layers", some > 0 ? some : 1);
  }
  Settings counted;
  if (workload.model.moe && core_software(workload)) add_experts(workload.software, counted);
  if (core_software(workload)) add_widths(plan, workload, counted);
  for (const auto& [attribute, value] : counted) set(attribute, value);
  set("optim.config.use_distributed_optimizer", strategy.zero >= 1 ? "True" : "False");
  if (overlaps(workload)) {
    emitted.remarks.push_back(callback_remark(workload.software));
  }
  if (optimizer_copies(strategy, workload) > 1) {
    emitted.remarks.push_back(
        "optimizer states are sharded over all data-parallel ranks: those that "
        "--zero1-shard-gpus names cannot be set in a recipe");
  }
  if (workload.software.offloaded_layers > 0) {
    emitted.remarks.push_back(
        fmt::format("the plan keeps {} layers' activations of a stage in host memory: "
                    "cpu_offloading_num_layers "
                    "of the model's configuration",
                    workload.software.offloaded_layers));
  }
  if (workload.software.offloaded_optimizer && strategy.zero == 1) {
    emitted.remarks.push_back(
        "the plan keeps optimizer states in host memory but for the optimizer's step: "
        "offload_optimizer_states of the optimizer's configuration");
  }
  if (strategy.zero >= 2) {
    emitted.remarks.push_back(fmt::format(
        "ZeRO {} is not set: NeMo's recipes shard optimizer states only (ZeRO 1), so each GPU "
        "needs more memory than planned",
        strategy.zero));
  }
  set("trainer.plugins", precision.plugin.empty() ? "None" : fmt::format("{}()", precision.plugin));
  const bool half_gradients =
      core_software(workload) && workload.software.gradient_reduce_bytes == 2;
  if (half_gradients && precision.dtype == "torch.bfloat16") {
    set("trainer.plugins.grad_reduce_in_fp32", "False");
  }
  if (workload.run.precision == Precision::fp4) {
    emitted.remarks.push_back("NeMo's recipes have no FP4 precision: this one is bf16");
  }
  return emitted;
}

}  // namespace planner::handover
