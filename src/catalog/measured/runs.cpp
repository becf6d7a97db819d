#include "planner/catalog/measured/runs.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "planner/catalog/measured/row.hpp"
#include "planner/catalog/measured/row_slice.hpp"
#include "planner/core/real.hpp"
#include "planner/json/source_text.hpp"

namespace planner::catalog {

using namespace json;

namespace {

bool holds(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

/// What keeps a row from being a run.
struct Unfit {
  std::string reason;
};

Precision precision_of(const RunRow& row, Generation generation) {
  const auto named = [&](const char* word) { return holds(row.precision, word); };
  constexpr std::array kKnown{"fp4", "fp8", "fp16", "bf16", "unknown"};
  if (!row.precision.empty() && std::none_of(kKnown.begin(), kKnown.end(), named)) {
    throw Unfit{"precision: " + in_quotes(row.precision) + " is none of fp4, fp8, fp16 and bf16"};
  }
  if (named("fp4")) return Precision::fp4;
  if (named("fp8")) return Precision::fp8;
  if (named("fp16") && !named("bf16")) return Precision::fp16;
  return generation == Generation::volta ? Precision::fp16 : Precision::bf16;
}

Scaling scaling_of(const RunRow& row) {
  if (holds(row.precision, "rowwise")) return Scaling::row;
  const bool blocks = holds(row.precision, "block") || holds(row.precision, "mx");
  return blocks ? Scaling::block : Scaling::tensor;
}

/// Modules that run again: those listed, or that the words of "recompute" name.
RecomputeModules modules_of(const RunRow& row) {
  RecomputeModules modules;
  for (const RecomputeModule module : row.software.recompute_modules) modules.insert(module);
  if (!modules.empty() || !row.recompute.starts_with("selective")) return modules;
  constexpr std::array<std::pair<const char*, RecomputeModule>, 7> kWords{
      {{"mla_up_proj", RecomputeModule::mla_up_proj},
       {"MLA up-proj", RecomputeModule::mla_up_proj},
       {"moe_act", RecomputeModule::moe_act},
       {"layernorm", RecomputeModule::layernorm},
       {"RMSNorm", RecomputeModule::layernorm},
       {"shared_experts", RecomputeModule::shared_experts},
       {"mlp", RecomputeModule::mlp}}};
  for (const auto& [name, module] : kWords) {
    if (holds(row.recompute, name)) modules.insert(module);
  }
  return modules;
}

/// Of layers recomputed in full: the share given, or what their number in a stage or chunk makes.
std::optional<double> recomputed_share(const RunRow& row) {
  if (row.software.recompute_layer_share) return row.software.recompute_layer_share;
  if (!row.software.recompute_num_layers || !row.recompute.starts_with("partial")) {
    return std::nullopt;
  }
  const double chunks = real(row.pp) * real(row.vp);
  return std::min(1.0, real(*row.software.recompute_num_layers) * chunks / real(row.model.layers));
}

/// Partly full recomputation of nobody knows how many layers is nearer to none.
Recompute recompute_of(const RunRow& row) {
  const std::string& text = row.recompute;
  if (recomputed_share(row) || text.starts_with("full")) return Recompute::full;
  if (text.starts_with("unknown") && !modules_of(row).empty()) return Recompute::selective;
  if (text.starts_with("selective")) return Recompute::selective;
  for (const char* none : {"none", "partial", "unknown"}) {
    if (text.starts_with(none)) return Recompute::none;
  }
  if (text.empty()) return Recompute::none;
  throw Unfit{"recompute: " + in_quotes(text) + " is none of those of the format"};
}

int zero_of(const RunRow& row) {
  const std::string& stage = row.zero_stage_or_fsdp;
  if (row.software.shard_gpus || holds(stage, "zero-3")) return 3;
  if (holds(stage, "zero-2")) return 2;
  if (holds(stage, "zero-1")) return 1;
  return holds(stage, "fsdp") ? 3 : 0;
}

MemoryMetric metric_of(const RunRow& row) {
  const std::string& metric = row.memory_metric;
  if (holds(metric, "nvidia-smi") || holds(metric, "GB rounded")) return MemoryMetric::device;
  return holds(metric, "reserved") ? MemoryMetric::reserved : MemoryMetric::allocated;
}

/// "128", or "128 on alternate layers".
void set_window(const ModelRow& row, TransformerSpec& model) {
  if (!row.sliding_window) return;
  const std::string& text = *row.sliding_window;
  const auto [end, failed] =
      std::from_chars(text.data(), text.data() + text.size(), model.sliding_window);
  if (failed != std::errc{} || model.sliding_window < 1) {
    throw Unfit{"model.sliding_window: no number of tokens"};
  }
  model.sliding_window_layers = holds(text, "alternate") ? row.layers / 2 : row.layers;
}

TransformerSpec model_of(const RunRow& run) {
  const ModelRow& row = run.model;
  if (row.non_transformer) throw Unfit{"model: no transformer"};
  if (!row.head_dim && row.hidden % row.heads != 0) {
    throw Unfit{"missing: model.head_dim (heads do not divide hidden)"};
  }
  TransformerSpec model{
      .name = row.name,
      .title = row.name,
      .layers = row.layers,
      .hidden = row.hidden,
      .heads = row.heads,
      .kv_heads = row.kv_heads.value_or(row.heads),
      .head_dim = row.head_dim.value_or(row.hidden / row.heads),
      .ffn_hidden = row.ffn_hidden,
      .gated_mlp = row.gated_mlp,
      .vocab = row.vocab,
      .tied_embeddings = row.tied_embeddings || (!row.gated_mlp && !row.untied_embeddings),
      .mtp_layers = run.mtp ? 1 : 0};
  set_window(row, model);
  if (row.mla) {
    model.mla = MlaSpec{.q_lora_rank = row.mla->q_lora,
                        .kv_lora_rank = row.mla->kv_lora,
                        .qk_nope_head_dim = row.mla->qk_nope,
                        .qk_rope_head_dim = row.mla->qk_rope,
                        .v_head_dim = row.mla->v_head};
  }
  if (row.moe) {
    if (row.moe->dense_layers > row.layers) throw Unfit{"model.moe.dense_layers: exceeds layers"};
    model.moe = MoeSpec{.experts = row.moe->experts,
                        .top_k = row.moe->topk,
                        .shared_experts = row.moe->shared,
                        .expert_ffn_hidden = row.moe->expert_ffn,
                        .leading_dense_layers = row.moe->dense_layers};
  }
  return model;
}

/// Of a cluster whose source does not say, by what was sold with the GPUs.
double usual_nic_gbps(Generation generation) {
  switch (generation) {
    case Generation::volta:
      return 100;
    case Generation::ampere:
    case Generation::ada:
      return 200;
    case Generation::hopper:
    case Generation::blackwell:
    case Generation::cdna3:
    case Generation::cdna4:
      return 400;
    case Generation::tpu:
    case Generation::trainium:
      return 50;
  }
  return 400;
}

/// What a source may take for granted: what the accelerators and the pods of its chips are.
struct Known {
  const std::vector<Accelerator>& accelerators;
  const std::vector<System>& systems;

  [[nodiscard]] const System* pod_of(const Accelerator& part) const {
    const auto found = std::find_if(systems.begin(), systems.end(), [&](const System& system) {
      return system.torus && system.torus->ring_from > 0 && system.accelerator.name == part.name;
    });
    return found == systems.end() ? nullptr : &*found;
  }
};

/// The links of a pod, and its torus, of which a job has a slice: no run states them.
void complete_from_pod(const System& pod, const RunRow& row, System& system) {
  system.torus = pod.torus;
  system.hb_domain = pod.hb_domain;
  if (!row.nvlink_gbs_per_dir) system.hb_bandwidth = pod.hb_bandwidth;
  if (!row.nic_gbps_per_gpu) system.network_bandwidth = pod.network_bandwidth;
}

System system_of(const RunRow& row, const Known& known) {
  constexpr double kUsualHbGBps = 300;
  constexpr std::int64_t kUsualDomain = 8;
  const Accelerator* const part = accelerator_called(row.gpu, row.gpu_mem_gb, known.accelerators);
  if (part == nullptr) throw Unfit{"gpu: no accelerator is called " + in_quotes(row.gpu)};
  System system{
      .name = row.source_key,
      .title = row.source,
      .accelerator = *part,
      .hb_domain = row.nvlink_domain_gpus.value_or(row.gpus_per_node.value_or(kUsualDomain)),
      .hb_bandwidth = row.nvlink_gbs_per_dir.value_or(kUsualHbGBps) * units::GBps,
      .network_bandwidth =
          row.nic_gbps_per_gpu.value_or(usual_nic_gbps(part->generation)) / 8 * units::GBps,
      .torus = row.torus};
  const System* const pod = known.pod_of(*part);
  if (row.torus) {
    const std::string fault = fault_of_slice(*row.torus, system.hb_domain, pod);
    if (!fault.empty()) throw Unfit{fault};
  } else if (pod != nullptr) {
    complete_from_pod(*pod, row, system);
  }
  // What the driver offers is known of the catalog's part, not of another with more or less memory.
  if (row.gpu_mem_gb && *row.gpu_mem_gb * units::GB != part->memory) {
    set_memory(system.accelerator, *row.gpu_mem_gb * units::GB);
  }
  return system;
}

Software software_of_row(const RunRow& run, Generation generation) {
  const SoftwareRow& row = run.software;
  Software software = row.stack ? software_of(*row.stack) : default_software(generation);
  if (row.attention) software.attention = *row.attention;
  if (row.grad_reduce_bytes) {
    software.gradient_reduce_bytes = static_cast<int>(*row.grad_reduce_bytes);
  }
  software.tp_overlap = row.tp_overlap.value_or(software.tp_overlap);
  software.micro_batches_per_flush = row.micro_batches_per_flush.value_or(0);
  software.scaling = scaling_of(run);
  software.attention_in_framework_ops = row.attention_in_framework_ops;
  software.fused_norms = row.fused_norms;
  software.full_cuda_graphs = row.full_cuda_graphs.value_or(software.full_cuda_graphs);
  software.launch_blocking = row.launch_blocking;
  software.fp32_gradient_accumulation = row.fp32_grad_accumulation;
  software.reshard_after_forward = row.reshard_after_forward;
  software.fp8_attention = row.fp8_attention;
  software.moment_bytes = static_cast<int>(row.moment_bytes.value_or(software.moment_bytes));
  software.loss = row.loss.value_or(software.loss);
  software.loss_chunks = row.loss_chunks;
  software.offloaded_layers = row.cpu_offloading_num_layers;
  software.free_stage_inputs = row.free_stage_inputs;
  software.offloaded_optimizer = row.offload_optimizer_states;
  software.dp_overlap = row.dp_overlap;
  software.zero1_shard_gpus = row.zero1_shard_gpus.value_or(0);
  software.dispatcher = row.dispatcher.value_or(software.dispatcher);
  software.dropless = row.dropless;
  software.expert_overlap = row.expert_overlap;
  return software;
}

Strategy strategy_of(const RunRow& row) {
  const double ranks = real(row.tp) * real(row.pp) * real(row.cp) * real(row.dp);
  if (ranks != real(row.gpus)) throw Unfit{"gpus: not tp·pp·cp·dp"};
  if (std::fmod(real(row.global_batch), real(row.dp) * real(row.micro_batch)) != 0) {
    throw Unfit{"global_batch: not divisible by dp·micro_batch"};
  }
  const std::int64_t data_ranks = row.dp * row.cp;
  const std::int64_t shard = row.software.shard_gpus.value_or(data_ranks);
  if (data_ranks % shard != 0) throw Unfit{"software.shard_gpus: does not divide dp·cp"};
  const Recompute recompute = recompute_of(row);
  return {
      .tp = {1, row.tp},
      .pp = {1, row.pp},
      .dp = {1, row.dp},
      .cp = {1, row.cp},
      .ep = {1, row.ep},
      .expert_tp = row.model.moe ? row.software.expert_tp.value_or(1) : 1,
      .interleave = row.vp,
      .micro_batch = row.micro_batch,
      .recompute = recompute,
      .recompute_modules = recompute == Recompute::selective ? modules_of(row) : RecomputeModules{},
      .recomputed_layers = recomputed_share(row).value_or(1),
      .zero = zero_of(row),
      .sequence_parallel = row.sequence_parallel,
      .shard_ranks = shard == data_ranks ? 0 : shard,
      .without_interleaving = row.software.schedule};
}

MeasuredRun run_of(const RunRow& row, const Known& known) {
  const System system = system_of(row, known);
  const Generation generation = system.accelerator.generation;
  const Precision precision = precision_of(row, generation);
  if (!system.accelerator.datasheet.at(precision) && !system.accelerator.silicon.at(precision)) {
    throw Unfit{"precision: the GPU has no rate for " + in_quotes(row.precision)};
  }
  // What may throw comes first: GCC 12 destroys the members of a half-built aggregate twice.
  const TransformerSpec model = model_of(row);
  const Strategy strategy = strategy_of(row);
  MeasuredRun run{.workload = {.model = model,
                               .system = system,
                               .run = {.global_batch = row.global_batch,
                                       .sequence = row.model.seq,
                                       .precision = precision},
                               .gpus = row.gpus,
                               .software = software_of_row(row, generation)},
                  .strategy = strategy,
                  .recompute_unstated =
                      row.recompute.starts_with("unknown") && strategy.recompute_modules.empty(),
                  .in_fit = row.in_fit,
                  .core = row.core,
                  .suspect = holds(row.note, "SUSPECT"),
                  .rank_group = row.rank_group};
  if (row.derived_iteration_time_s) run.iteration_time = Seconds{*row.derived_iteration_time_s};
  if (row.measured_peak_gb) {
    run.memory = MeasuredMemory{.peak = *row.measured_peak_gb * units::GB,
                                .metric = metric_of(row),
                                .ends = holds(row.memory_metric, "first/last")};
  }
  return run;
}

/// What read_object() found, in one line.
std::string reason(const InputError& error) {
  std::string missing, other;
  for (const Diagnostic& found : error.diagnostics()) {
    std::string& list = found.code == "missing-key" ? missing : other;
    (list += list.empty() ? "" : "; ") += found.message;
  }
  return missing.empty() || other.empty() ? missing + other : missing + "; " + other;
}

std::string text_at(const JsonNode& row, std::string_view key) {
  const JsonNode* const node = row.find(key);
  const auto* const text = node == nullptr ? nullptr : node->get<std::string>();
  return text == nullptr ? std::string() : *text;
}

/// Marked by whoever collected the rows: nothing more is read of it then.
bool marked_unusable(const JsonNode& row) {
  const JsonNode* const software = row.find("software");
  const JsonNode* const usable = software == nullptr ? nullptr : software->find("usable");
  return usable != nullptr && usable->get<bool>() != nullptr && !*usable->get<bool>();
}

MeasuredRow row_of(const JsonNode& node, SourceText line, int number, const Known& known) {
  MeasuredRow row{
      .id = text_at(node, "id"), .source_key = text_at(node, "source_key"), .line = number};
  if (row.id.empty()) row.id = "line " + std::to_string(number);
  if (row.source_key.empty()) row.source_key = "unnamed";
  if (marked_unusable(node)) {
    row.skipped = "marked unusable";
    row.marked = true;
    return row;
  }
  try {
    const RunRow written =
        read_document(measured_run_table(), only_known(node, measured_run_table()), line);
    row.year = written.year;
    row.run = run_of(written, known);
  } catch (const InputError& error) {
    row.skipped = reason(error);
  } catch (const Unfit& unfit) {
    row.skipped = unfit.reason;
  }
  return row;
}

}  // namespace

std::vector<MeasuredRow> parse_measured_runs(std::string_view text, std::string_view source_name,
                                             const std::vector<Accelerator>& known,
                                             const std::vector<System>& systems) {
  std::vector<MeasuredRow> rows;
  int number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const SourceText line{source_name, text.substr(start, end - start)};
    start = end + 1;
    ++number;
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const JsonNode node = parse_json(line);
      if (node.get<JsonNode::Object>() == nullptr) {
        throw InputError(line.diagnose(node.offset, "wrong-type",
                                       "expected an object, got " + std::string(node.kind())));
      }
      rows.push_back(row_of(node, line, number, {known, systems}));
    } catch (const InputError& error) {
      std::vector<Diagnostic> found = error.diagnostics();
      for (Diagnostic& diagnostic : found) {
        diagnostic.line = number;
        if (diagnostic.hint.empty()) {
          diagnostic.hint = "each line is one JSON object   (planner schema measured-run)";
        }
      }
      throw InputError(std::move(found));
    }
  }
  if (rows.empty()) {
    throw InputError(SourceText{source_name, text}.diagnose(
        0, "missing-key", "no measured run",
        "each line is one JSON object   (planner schema measured-run)"));
  }
  return rows;
}

}  // namespace planner::catalog
