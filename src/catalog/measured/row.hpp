#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/software.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/domain/system.hpp"
#include "planner/json/field_table.hpp"

// A row of a file of measured runs as it is written; measured_runs.cpp makes a run of it.
namespace planner::catalog {

struct MoeRow {
  std::int64_t experts = 0, topk = 0, expert_ffn = 0, shared = 0, dense_layers = 0;
};

struct MlaRow {
  std::int64_t q_lora = 0, kv_lora = 0, qk_nope = 0, qk_rope = 0, v_head = 0;
};

struct ModelRow {
  std::string name = "unnamed";
  std::int64_t layers = 0, hidden = 0, heads = 0, ffn_hidden = 0, vocab = 0, seq = 0;
  bool gated_mlp = false;
  std::optional<std::int64_t> kv_heads, head_dim;
  std::optional<std::string> sliding_window;
  bool tied_embeddings = false, untied_embeddings = false, non_transformer = false;
  std::optional<MoeRow> moe;
  std::optional<MlaRow> mla;
};

struct SoftwareRow {
  std::optional<SoftwareClass> stack;
  std::optional<AttentionKernel> attention;
  bool attention_in_framework_ops = false, fused_norms = true;
  bool launch_blocking = false;
  std::optional<bool> full_cuda_graphs, tp_overlap, dp_overlap;
  bool fp8_attention = false, dropless = false, expert_overlap = false;
  bool offload_optimizer_states = false;
  std::optional<Dispatcher> dispatcher;
  std::optional<LossKernel> loss;
  std::vector<RecomputeModule> recompute_modules;
  std::optional<std::int64_t> moment_bytes, zero1_shard_gpus, recompute_num_layers;
  std::int64_t cpu_offloading_num_layers = 0, loss_chunks = 1;
  bool free_stage_inputs = false;
  std::optional<double> recompute_layer_share;
  Schedule schedule = Schedule::one_f_one_b;
  bool fp32_grad_accumulation = false, reshard_after_forward = true;
  std::optional<std::int64_t> grad_reduce_bytes, shard_gpus, expert_tp, micro_batches_per_flush;
  bool usable = true;
};

struct RunRow {
  std::string id, source_key, source, note;
  ModelRow model;
  std::string gpu;
  std::optional<double> gpu_mem_gb, nvlink_gbs_per_dir, nic_gbps_per_gpu;
  std::optional<std::int64_t> nvlink_domain_gpus, gpus_per_node;
  std::optional<DomainTorus> torus;
  std::int64_t gpus = 0, tp = 0, pp = 0, cp = 1, ep = 1, dp = 0, vp = 1;
  std::int64_t micro_batch = 0, global_batch = 0;
  std::int64_t year = 0;
  std::string precision, recompute, zero_stage_or_fsdp;
  bool sequence_parallel = false, mtp = false, core = false;
  bool in_fit = true;
  SoftwareRow software;
  std::optional<double> derived_iteration_time_s, measured_peak_gb;
  std::string memory_metric, rank_group;
};

/// Drives the reader, which overlooks unknown keys and takes null for absent, and the schema.
const json::FieldTable<RunRow>& measured_run_table();
/// JSON Schema of a row.
void describe_measured_run(json::Json& schema);

/// The object with the table's keys only, each once and none null; any other node as it is.
template <class T>
json::JsonNode only_known(const json::JsonNode& node, const json::FieldTable<T>& table) {
  const auto* const members = node.get<json::JsonNode::Object>();
  if (members == nullptr) return node;
  json::JsonNode::Object kept;
  for (const json::Field<T>& field : table.fields) {
    const json::JsonNode* const value = node.find(field.key);
    if (value != nullptr && !value->is_null()) kept.push_back({field.key, value->offset, *value});
  }
  return {.value = std::move(kept), .offset = node.offset};
}

}  // namespace planner::catalog
