#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/domain/provenance.hpp"

namespace planner {

enum class Norm { layer, rms };
/// Which linear layers add a bias vector.
enum class Biases { none, qkv, attention, all };
enum class Positions { learned, rotary };

/// Multi-head latent attention. Source: DeepSeek-V2 (arXiv 2405.04434) §2.1.
struct MlaSpec {
  std::int64_t q_lora_rank = 0;  ///< 0: queries are projected directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t v_head_dim = 0;

  bool operator==(const MlaSpec&) const = default;
};

/// Mixture of experts in place of the MLP.
struct MoeSpec {
  std::int64_t experts = 0;  ///< routed experts per layer
  std::int64_t top_k = 0;    ///< routed experts per token
  std::int64_t shared_experts = 0;
  std::int64_t expert_ffn_hidden = 0;
  std::int64_t leading_dense_layers = 0;  ///< first layers that keep the dense MLP

  bool operator==(const MoeSpec&) const = default;
};

/// The batch that a model is trained with when the user names none.
struct ReferenceRun {
  std::int64_t global_batch = 0;  ///< sequences
  std::int64_t sequence = 0;      ///< tokens per sequence

  bool operator==(const ReferenceRun&) const = default;
};

/// A decoder-only transformer.
struct TransformerSpec {
  std::string name;   ///< as on the command line: "gpt1t"
  std::string title;  ///< as in a report: "GPT 1T"
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;    ///< fewer than heads: grouped-query attention
  std::int64_t head_dim = 0;    ///< heads · head_dim need not be hidden
  std::int64_t ffn_hidden = 0;  ///< of the dense MLP
  bool gated_mlp = false;       ///< three matrices (SwiGLU) instead of two
  std::int64_t vocab = 0;
  bool tied_embeddings = false;  ///< input embedding and output layer share one matrix
  Norm norm = Norm::rms;
  Biases biases = Biases::none;
  bool qk_norm = false;  ///< RMS norm of queries and keys per head
  Positions positions = Positions::rotary;
  std::int64_t sliding_window = 0;         ///< tokens; 0: full attention in every layer
  std::int64_t sliding_window_layers = 0;  ///< how many layers use it
  std::int64_t mtp_layers = 0;             ///< multi-token-prediction layers after the last
  std::optional<MlaSpec> mla;
  std::optional<MoeSpec> moe;
  std::optional<ReferenceRun> reference_run;
  std::vector<SourceNote> sources;

  bool operator==(const TransformerSpec&) const = default;
};

/// Weight-matrix entries of one attention block: projections of queries, keys, values and output,
/// without biases and norms. GPT: 4·h².
double attention_weights(const TransformerSpec& model);

/// Weight-matrix entries of one dense MLP, without biases. GPT: 8·h².
double mlp_weights(const TransformerSpec& model);

/// Weight-matrix entries of one routed or shared expert. 0 for a dense model.
double expert_weights(const TransformerSpec& model);

/// Width of the attention scores: heads times the mean of the query/key and the value dimension.
/// QKᵀ and its product with V take 4·s²·width FLOPs per layer and sequence, forward. GPT: h.
double score_width(const TransformerSpec& model);

/// All parameters of one dense block: matrices, biases and its two norms. GPT: 12·h² + 13·h
/// (Narayanan et al. 2021, Eq. 2).
double dense_block_parameters(const TransformerSpec& model);

/// Parameters of the whole model, embeddings included, multi-token-prediction layers not.
/// @param sequence  length of the learned position table (no effect with rotary positions)
double total_parameters(const TransformerSpec& model, std::int64_t sequence);
/// Parameters of the whole model at the sequence of its reference run, if it has one.
double total_parameters(const TransformerSpec& model);

/// Parameters that one token passes through: all of a dense model; in a mixture of experts
/// top_k routed experts and the shared ones.
double active_parameters(const TransformerSpec& model, std::int64_t sequence);

}  // namespace planner
