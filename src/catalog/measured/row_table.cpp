#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/catalog/measured/row.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/catalog/tables/torus.hpp"
#include "planner/domain/names.hpp"

namespace planner::catalog {

using namespace json;

namespace {

Codec<double> positive() {
  return number(Range::positive());
}

/// Any string; an empty one says nothing.
Codec<std::string> words() {
  const Codec<std::string> some = text();
  return read_by(some, [some](const JsonNode& node, const ReadContext& context) {
    const auto* const value = node.get<std::string>();
    return value != nullptr && value->empty() ? std::optional<std::string>("")
                                              : some.read(node, context);
  });
}

/// Rows of others hold more than we look at: unknown keys are overlooked, null is as good as
/// absent.
template <class T>
Codec<T> tolerant(const FieldTable<T>& table) {
  const Codec<T> known =
      read_by(object(table), [&table](const JsonNode& node, const ReadContext& context) {
        return read_object(table, only_known(node, table), context);
      });
  return described(known, [&table](Json& schema) {
    describe_object(table, schema);
    schema["additionalProperties"] = true;
  });
}

/// Words that mean one of several values, the first of each being ours.
template <class E>
Codec<E> worded(std::vector<std::pair<std::string, E>> words) {
  std::vector<std::string> names;
  for (const auto& [name, value] : words) names.push_back(name);
  const Codec<std::string> plain = word(std::move(names));
  return {[plain, words](const JsonNode& node, const ReadContext& context) -> std::optional<E> {
            const auto text = plain.read(node, context);
            if (!text) return std::nullopt;
            return std::find_if(words.begin(), words.end(),
                                [&](const auto& each) { return each.first == *text; })
                ->second;
          },
          [plain, words](const E& value, Json& out) {
            plain.write(std::find_if(words.begin(), words.end(),
                                     [&](const auto& each) { return each.second == value; })
                            ->first,
                        out);
          },
          plain.description()};
}

Codec<Schedule> schedule() {
  return worded<Schedule>({{"1f1b", Schedule::one_f_one_b},
                           {"zb-1p", Schedule::zero_bubble_1p},
                           {"zb-2p", Schedule::zero_bubble_2p},
                           {"zero-bubble-1p", Schedule::zero_bubble_1p},
                           {"zero-bubble-2p", Schedule::zero_bubble_2p}});
}

/// XLA compiles what JAX describes.
Codec<SoftwareClass> stack() {
  std::vector<std::pair<std::string, SoftwareClass>> words;
  for (const SoftwareClass each : kSoftwareClasses) words.emplace_back(name_of(each), each);
  words.emplace_back("xla", SoftwareClass::jax);
  return worded<SoftwareClass>(std::move(words));
}

Codec<Dispatcher> dispatcher() {
  return worded<Dispatcher>({{"alltoall", Dispatcher::alltoall},
                             {"deepep", Dispatcher::deepep},
                             {"hybridep", Dispatcher::hybridep},
                             {"allgather", Dispatcher::alltoall}});
}

Codec<LossKernel> loss() {
  return worded<LossKernel>({{"plain", LossKernel::plain},
                             {"fused", LossKernel::fused},
                             {"fused_inplace", LossKernel::in_place}});
}

const FieldTable<MoeRow>& moe_row_table() {
  using M = MoeRow;
  static const FieldTable<M> table{
      "measured-run moe",
      "Mixture of experts",
      {required("experts", &M::experts, count(), "routed experts of a layer"),
       required("topk", &M::topk, count(), "experts per token"),
       required("expert_ffn", &M::expert_ffn, count(), "hidden size of an expert"),
       optional("shared", &M::shared, count_or_none(), "shared experts"),
       optional("dense_layers", &M::dense_layers, count_or_none(), "first layers without experts")},
      {{.keys = {"topk", "experts"},
        .holds = [](const M& m) { return m.topk <= m.experts; },
        .message = [](const M&) { return std::string("must not exceed experts"); }}}};
  return table;
}

const FieldTable<MlaRow>& mla_row_table() {
  using M = MlaRow;
  static const FieldTable<M> table{
      "measured-run mla",
      "Latent attention",
      {required("q_lora", &M::q_lora, count_or_none(), "rank of the queries"),
       required("kv_lora", &M::kv_lora, count(), "rank of keys and values"),
       required("qk_nope", &M::qk_nope, count_or_none(), "head dimension without position"),
       required("qk_rope", &M::qk_rope, count_or_none(), "head dimension with position"),
       required("v_head", &M::v_head, count(), "head dimension of the values")}};
  return table;
}

const FieldTable<ModelRow>& model_row_table() {
  using M = ModelRow;
  static const FieldTable<M> table{
      "measured-run model",
      "The transformer and its sequence length",
      {optional("name", &M::name, words(), "as the source calls it"),
       required("layers", &M::layers, integer(1, 1'000'000), "L"),
       required("hidden", &M::hidden, count(), "h"), required("heads", &M::heads, count(), "a"),
       optional("kv_heads", &M::kv_heads, count(), "default: heads"),
       optional("head_dim", &M::head_dim, count(), "default: hidden/heads"),
       required("ffn_hidden", &M::ffn_hidden, count(), "of the dense MLP"),
       required("gated_mlp", &M::gated_mlp, boolean(), "three matrices instead of two"),
       required("vocab", &M::vocab, count(), "V"),
       required("seq", &M::seq, count(), "tokens per sequence"),
       optional("tied_embeddings", &M::tied_embeddings, boolean(),
                "one matrix for input and output; without it, a plain MLP means tied"),
       optional("untied_embeddings", &M::untied_embeddings, boolean(), "two, with a plain MLP"),
       optional("sliding_window", &M::sliding_window, words(),
                "\"128\" tokens in all layers, or \"128 on alternate layers\""),
       optional("non_transformer", &M::non_transformer, boolean(), "then the row is left out"),
       optional("moe", &M::moe, tolerant(moe_row_table()), "mixture of experts"),
       optional("mla", &M::mla, tolerant(mla_row_table()), "latent attention")}};
  return table;
}

const FieldTable<SoftwareRow>& software_row_table() {
  using S = SoftwareRow;
  static const FieldTable<S> table{
      "measured-run software",
      "What the model needs to know of the software",
      {optional("class", &S::stack, stack(),
                "default: te on Hopper and later, flash on Ampere, eager before"),
       optional("attention", &S::attention, choice(kAttentionKernels),
                "default: that of the class"),
       optional("attention_in_framework_ops", &S::attention_in_framework_ops, boolean(),
                "unfused and without fused softmax"),
       optional("fused_norms", &S::fused_norms, boolean(), "norm kernels are fused"),
       optional("full_cuda_graphs", &S::full_cuda_graphs, boolean(),
                "whole layers are graphs; default: with jax, which compiles a step"),
       optional("launch_blocking", &S::launch_blocking, boolean(), "CUDA_LAUNCH_BLOCKING=1"),
       optional("schedule", &S::schedule, schedule(), "of the pipeline, where vp is 1"),
       optional("micro_batches_per_flush", &S::micro_batches_per_flush, count(),
                "after which a pipeline drains; default: all of the iteration's"),
       optional("tp_overlap", &S::tp_overlap, boolean(),
                "tensor-parallel collectives overlap with products; default: with te"),
       optional("fp32_grad_accumulation", &S::fp32_grad_accumulation, boolean(),
                "a second gradient buffer"),
       optional("grad_reduce_bytes", &S::grad_reduce_bytes, integer(1, 8),
                "per parameter; default: 4 with mcore and te, else 2"),
       optional("shard_gpus", &S::shard_gpus, count(), "ranks that FSDP shards over"),
       optional("reshard_after_forward", &S::reshard_after_forward, boolean(),
                "FSDP gathers weights again for the backward"),
       optional("dp_overlap", &S::dp_overlap, boolean(),
                "the gradient reduction overlaps the backward pass; default: with torch and te"),
       optional("zero1_shard_gpus", &S::zero1_shard_gpus, count(),
                "neighbouring GPUs that ZeRO-1 shards optimizer states over; default: all"),
       optional("moment_bytes", &S::moment_bytes, integer(1, 8), "of each of Adam's two; 4"),
       optional("fp8_attention", &S::fp8_attention, boolean(), "fused attention in 8 bits"),
       optional("recompute_modules", &S::recompute_modules, list(choice(kRecomputeModules)),
                "of selective recomputation, as Megatron's"),
       optional("recompute_num_layers", &S::recompute_num_layers, count(),
                "layers of a stage or chunk that partly full recomputation runs again"),
       optional("recompute_layer_share", &S::recompute_layer_share, number({0, 1}),
                "of the layers, recomputed in full"),
       optional("cpu_offloading_num_layers", &S::cpu_offloading_num_layers, count_or_none(),
                "layers of a stage whose activations are kept in host memory"),
       optional("free_stage_inputs", &S::free_stage_inputs, boolean(),
                "the input of a pipeline's chunk is freed once its first norm has read it"),
       optional("offload_optimizer_states", &S::offload_optimizer_states, boolean(),
                "ZeRO-1's states lie in host memory but for the optimizer's step"),
       optional("expert_overlap", &S::expert_overlap, boolean(),
                "all-to-alls overlap another micro-batch"),
       optional("dispatcher", &S::dispatcher, dispatcher(),
                "of tokens; default: alltoall with mcore, else deepep"),
       optional("dropless", &S::dropless, boolean(), "routing is not forced to be balanced"),
       optional("loss", &S::loss, loss(), "plain, fused or fused_inplace; default: by class"),
       optional("loss_chunks", &S::loss_chunks, count(), "that the loss layer takes in turn"),
       optional("expert_tp", &S::expert_tp, count(), "tensor parallel degree of the experts"),
       optional("usable", &S::usable, boolean(), "false: the row is left out")}};
  return table;
}

}  // namespace

const FieldTable<RunRow>& measured_run_table() {
  using R = RunRow;
  static const FieldTable<R> table{
      "measured-run",
      "One line of a file of measured runs (JSON Lines). Other keys are overlooked; null is as "
      "good as absent; a row that lacks a required key is left out, with the reason",
      {required("id", &R::id, text(), "names the row"),
       optional("source_key", &R::source_key, words(),
                "short name of the source: its rows go together"),
       optional("source", &R::source, words(), "document and table"),
       optional("year", &R::year, count(), "of the source"),
       required("model", &R::model, tolerant(model_row_table()), "the transformer"),
       required("gpu", &R::gpu, text(),
                "\"H100-SXM-80GB\", or a name of planner list accelerators"),
       optional("gpu_mem_gb", &R::gpu_mem_gb, positive(), "default: the catalog's"),
       required("gpus", &R::gpus, count(), "GPUs in all: tp·pp·cp·dp"),
       optional("nvlink_domain_gpus", &R::nvlink_domain_gpus, count(),
                "GPUs per HB domain; default: gpus_per_node, else 8"),
       optional("gpus_per_node", &R::gpus_per_node, count(), "GPUs of a server"),
       optional("torus", &R::torus, object(torus_table()),
                "of the HB domain, as of a system: the slice of a TPU job"),
       optional("nvlink_gbs_per_dir", &R::nvlink_gbs_per_dir, positive(),
                "GB/s per GPU and direction; default: 300"),
       optional("nic_gbps_per_gpu", &R::nic_gbps_per_gpu, positive(),
                "Gb/s per direction; default: 100 on Volta, 200 on Ampere, else 400"),
       optional("precision", &R::precision, words(),
                "of the matrix products: fp4, fp8 (rowwise, block or MX), fp16, else bf16"),
       required("tp", &R::tp, count(), "tensor parallel"),
       required("pp", &R::pp, count(), "pipeline parallel"),
       optional("vp", &R::vp, count(), "model chunks per pipeline rank"),
       optional("cp", &R::cp, count(), "context parallel"),
       optional("ep", &R::ep, count(), "expert parallel"),
       required("dp", &R::dp, count(), "data parallel"),
       optional("zero_stage_or_fsdp", &R::zero_stage_or_fsdp, words(),
                "holds ZeRO-1, ZeRO-2, ZeRO-3 or FSDP; none otherwise"),
       optional("sequence_parallel", &R::sequence_parallel, boolean(), "Megatron's, with tp"),
       required("micro_batch", &R::micro_batch, count(), "sequences"),
       required("global_batch", &R::global_batch, count(), "sequences; dp·micro_batch divides it"),
       optional(
           "recompute", &R::recompute, words(),
           "none, selective…, full…, partial… (as none), or unknown…: full if none cannot fit"),
       optional("mtp", &R::mtp, boolean(), "one multi-token-prediction layer"),
       optional("software", &R::software, tolerant(software_row_table()), "what ran"),
       optional("derived_iteration_time_s", &R::derived_iteration_time_s, number({1e-9, 1e9}),
                "measured; needed for times"),
       optional("measured_peak_gb", &R::measured_peak_gb, positive(),
                "GB of 1e9 bytes; needed for --peak-memory"),
       optional("memory_metric", &R::memory_metric, words(),
                "holds \"nvidia-smi\", \"GB rounded\" or \"reserved\", else allocated tensors; and "
                "\"first/last\" where only those stages were looked at"),
       optional("core", &R::core, boolean(), "counts in the figures called core"),
       optional("in_fit", &R::in_fit, boolean(),
                "false: shown, and counted for memory, but no constant is fitted to it"),
       optional("rank_group", &R::rank_group, words(),
                "alike in rows that differ in strategy only"),
       optional("note", &R::note, words(), "SUSPECT in it: shown apart as well")}};
  return table;
}

void describe_measured_run(Json& schema) {
  describe_document(measured_run_table(), schema);
  schema["additionalProperties"] = true;
}

}  // namespace planner::catalog
