#include "planner/domain/transformer.hpp"

#include "planner/core/real.hpp"

namespace planner {

namespace {

double mla_weights(const TransformerSpec& model, const MlaSpec& mla) {
  const double h = real(model.hidden), a = real(model.heads);
  const double qk = real(mla.qk_nope_head_dim + mla.qk_rope_head_dim);
  const double q = real(mla.q_lora_rank), c = real(mla.kv_lora_rank);
  const double queries = mla.q_lora_rank > 0 ? h * q + q * a * qk : h * a * qk;
  const double keys_values =
      h * (c + real(mla.qk_rope_head_dim)) + c * a * real(mla.qk_nope_head_dim + mla.v_head_dim);
  return queries + keys_values + a * real(mla.v_head_dim) * h;
}

double mlp_matrix_weights(const TransformerSpec& model, std::int64_t ffn) {
  return (model.gated_mlp ? 3 : 2) * real(model.hidden) * real(ffn);
}

double mlp_biases(const TransformerSpec& model, std::int64_t ffn) {
  if (model.biases != Biases::all) return 0;
  return (model.gated_mlp ? 2 : 1) * real(ffn) + real(model.hidden);
}

double norm_parameters(const TransformerSpec& model, double width) {
  return (model.norm == Norm::layer ? 2 : 1) * width;
}

/// Attention with its biases, and both norms of the block.
double attention_parameters(const TransformerSpec& model) {
  double parameters = attention_weights(model) + 2 * norm_parameters(model, real(model.hidden));
  if (model.mla) {
    return parameters + norm_parameters(model, real(model.mla->q_lora_rank)) +
           norm_parameters(model, real(model.mla->kv_lora_rank));
  }
  if (model.biases != Biases::none) {
    parameters += real(model.heads + 2 * model.kv_heads) * real(model.head_dim);
  }
  if (model.biases == Biases::attention || model.biases == Biases::all) {
    parameters += real(model.hidden);
  }
  if (model.qk_norm) parameters += 2 * norm_parameters(model, real(model.head_dim));
  return parameters;
}

/// A block in which `routed` experts are counted.
double moe_block_parameters(const TransformerSpec& model, std::int64_t routed) {
  const MoeSpec& moe = *model.moe;
  const double router = real(model.hidden) * real(moe.experts);
  const double expert = expert_weights(model) + mlp_biases(model, moe.expert_ffn_hidden);
  return attention_parameters(model) + router + real(routed + moe.shared_experts) * expert;
}

double parameters_with(const TransformerSpec& model, std::int64_t sequence, std::int64_t routed) {
  const std::int64_t dense = model.moe ? model.moe->leading_dense_layers : model.layers;
  double parameters = real(dense) * dense_block_parameters(model);
  if (model.moe) parameters += real(model.layers - dense) * moe_block_parameters(model, routed);
  parameters += (model.tied_embeddings ? 1 : 2) * real(model.vocab) * real(model.hidden);
  parameters += norm_parameters(model, real(model.hidden));  // before the output layer
  if (model.positions == Positions::learned) parameters += real(sequence) * real(model.hidden);
  return parameters;
}

}  // namespace

double attention_weights(const TransformerSpec& model) {
  if (model.mla) return mla_weights(model, *model.mla);
  const double h = real(model.hidden), d = real(model.head_dim);
  return 2 * h * real(model.heads) * d + 2 * h * real(model.kv_heads) * d;
}

double mlp_weights(const TransformerSpec& model) {
  return mlp_matrix_weights(model, model.ffn_hidden);
}

double expert_weights(const TransformerSpec& model) {
  return model.moe ? mlp_matrix_weights(model, model.moe->expert_ffn_hidden) : 0;
}

double score_width(const TransformerSpec& model) {
  if (!model.mla) return real(model.heads) * real(model.head_dim);
  const MlaSpec& mla = *model.mla;
  const double qk = real(mla.qk_nope_head_dim + mla.qk_rope_head_dim);
  return real(model.heads) * (qk + real(mla.v_head_dim)) / 2;
}

double dense_block_parameters(const TransformerSpec& model) {
  return attention_parameters(model) + mlp_weights(model) + mlp_biases(model, model.ffn_hidden);
}

double total_parameters(const TransformerSpec& model, std::int64_t sequence) {
  return parameters_with(model, sequence, model.moe ? model.moe->experts : 0);
}

double total_parameters(const TransformerSpec& model) {
  return total_parameters(model, model.reference_run ? model.reference_run->sequence : 0);
}

double active_parameters(const TransformerSpec& model, std::int64_t sequence) {
  return parameters_with(model, sequence, model.moe ? model.moe->top_k : 0);
}

}  // namespace planner
