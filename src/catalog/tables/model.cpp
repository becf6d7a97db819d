#include "planner/catalog/tables/name_fields.hpp"
#include "planner/catalog/tables/tables.hpp"
#include "planner/domain/names.hpp"

namespace planner::catalog {

using namespace json;

namespace {

std::string in_words(std::int64_t value) {
  return std::to_string(value);
}

const FieldTable<MlaSpec>& mla_table() {
  static const FieldTable<MlaSpec> table{
      "mla",
      "Multi-head latent attention",
      {optional("q_lora_rank", &MlaSpec::q_lora_rank, count_or_none(),
                "width of the compressed queries; 0: queries are projected directly"),
       required("kv_lora_rank", &MlaSpec::kv_lora_rank, count(),
                "width of the compressed keys and values"),
       required("qk_nope_head_dim", &MlaSpec::qk_nope_head_dim, count(),
                "query and key width per head without position"),
       required("qk_rope_head_dim", &MlaSpec::qk_rope_head_dim, count_or_none(),
                "query and key width per head with rotary position"),
       required("v_head_dim", &MlaSpec::v_head_dim, count(), "value width per head")}};
  return table;
}

const FieldTable<MoeSpec>& moe_table() {
  static const FieldTable<MoeSpec> table{
      "moe",
      "Mixture of experts in place of the MLP",
      {required("experts", &MoeSpec::experts, count(), "routed experts per layer"),
       required("top_k", &MoeSpec::top_k, count(), "routed experts per token"),
       optional("shared_experts", &MoeSpec::shared_experts, count_or_none(),
                "experts that every token passes through"),
       required("expert_ffn_hidden", &MoeSpec::expert_ffn_hidden, count(), "width of one expert"),
       optional("leading_dense_layers", &MoeSpec::leading_dense_layers, layer_count(),
                "first layers that keep the dense MLP")}};
  return table;
}

const FieldTable<ReferenceRun>& reference_run_table() {
  static const FieldTable<ReferenceRun> table{
      "reference run",
      "The batch the model is trained with when none is given",
      {required("global_batch", &ReferenceRun::global_batch, count(), "sequences"),
       required("sequence", &ReferenceRun::sequence, count(), "tokens per sequence")}};
  return table;
}

std::vector<Field<TransformerSpec>> model_fields() {
  using M = TransformerSpec;
  return {
      name_field<M>(),
      title_field<M>(),
      required("layers", &M::layers, integer(1, kMostLayers), "transformer blocks"),
      required("hidden", &M::hidden, count(), "width of the residual stream"),
      required("heads", &M::heads, count(), "attention heads"),
      derived("kv_heads", &M::kv_heads, count(),
              "key and value heads: fewer than heads for grouped queries; heads when not given"),
      derived("head_dim", &M::head_dim, count(), "width of one head; hidden/heads when not given"),
      required("ffn_hidden", &M::ffn_hidden, count(), "width of the dense MLP"),
      optional("gated_mlp", &M::gated_mlp, boolean(), "three matrices (SwiGLU) instead of two"),
      required("vocab", &M::vocab, count(), "tokens of the vocabulary"),
      optional("tied_embeddings", &M::tied_embeddings, boolean(),
               "input embedding and output layer share one matrix"),
      optional("norm", &M::norm, choice(kNorms), "kind of normalisation"),
      optional("biases", &M::biases, choice(kBiases), "which linear layers add a bias"),
      optional("qk_norm", &M::qk_norm, boolean(), "normalises queries and keys per head"),
      optional("positions", &M::positions, choice(kPositions), "kind of position embedding"),
      optional("sliding_window", &M::sliding_window, count_or_none(),
               "tokens that a windowed layer attends to; 0: full attention everywhere"),
      optional("sliding_window_layers", &M::sliding_window_layers, layer_count(),
               "how many layers use the window"),
      optional("mtp_layers", &M::mtp_layers, layer_count(),
               "multi-token-prediction layers after the last"),
      optional("mla", &M::mla, object(mla_table()), "multi-head latent attention"),
      optional("moe", &M::moe, object(moe_table()), "mixture of experts"),
      optional("reference_run", &M::reference_run, object(reference_run_table()),
               "the batch it is trained with when none is given"),
      sources_field<M>()};
}

std::vector<Check<TransformerSpec>> model_checks() {
  using M = TransformerSpec;
  return {{.keys = {"kv_heads", "heads"},
           .holds = [](const M& m) { return m.kv_heads == 0 || m.heads % m.kv_heads == 0; },
           .message =
               [](const M& m) {
                 return in_words(m.kv_heads) + " does not divide the " + in_words(m.heads) +
                        " heads";
               }},
          {.keys = {"heads", "hidden", "head_dim"},
           .holds = [](const M& m) { return m.head_dim != 0 || m.hidden % m.heads == 0; },
           .message =
               [](const M& m) {
                 return in_words(m.heads) + " does not divide hidden " + in_words(m.hidden) +
                        ", and no head_dim is given";
               }},
          {.keys = {"sliding_window_layers", "layers"},
           .holds = [](const M& m) { return m.sliding_window_layers <= m.layers; },
           .message =
               [](const M& m) {
                 return in_words(m.sliding_window_layers) + " of only " + in_words(m.layers) +
                        " layers";
               }},
          {.keys = {"moe.top_k"},
           .holds = [](const M& m) { return !m.moe || m.moe->top_k <= m.moe->experts; },
           .message =
               [](const M& m) {
                 return in_words(m.moe->top_k) + " experts per token of only " +
                        in_words(m.moe->experts);
               }},
          {.keys = {"moe.leading_dense_layers", "layers"},
           .holds = [](const M& m) { return !m.moe || m.moe->leading_dense_layers <= m.layers; },
           .message =
               [](const M& m) {
                 return in_words(m.moe->leading_dense_layers) + " of only " + in_words(m.layers) +
                        " layers";
               }}};
}

void complete_model(TransformerSpec& model) {
  complete_title(model);
  if (model.kv_heads == 0) model.kv_heads = model.heads;
  if (model.head_dim == 0) model.head_dim = model.hidden / model.heads;
}

}  // namespace

const FieldTable<TransformerSpec>& model_table() {
  static const FieldTable<TransformerSpec> table{"model",           "A decoder-only transformer",
                                                 model_fields(),    model_checks(),
                                                 check_source_keys, complete_model};
  return table;
}

}  // namespace planner::catalog
