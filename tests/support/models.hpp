// Published models by their dimensions, as each one's config.json or paper gives them.
#pragma once

#include "planner/domain/transformer.hpp"

namespace planner::testing {

/// Llama 3 8B as well.
inline TransformerSpec llama_3_1_8b() {
  return {.layers = 32,
          .hidden = 4096,
          .heads = 32,
          .kv_heads = 8,
          .head_dim = 128,
          .ffn_hidden = 14336,
          .gated_mlp = true,
          .vocab = 128256};
}

inline TransformerSpec mixtral_8x7b() {
  TransformerSpec model = llama_3_1_8b();
  model.vocab = 32000;
  model.moe = MoeSpec{.experts = 8, .top_k = 2, .expert_ffn_hidden = 14336};
  return model;
}

inline TransformerSpec deepseek_v3() {
  return {.layers = 61,
          .hidden = 7168,
          .heads = 128,
          .kv_heads = 128,
          .head_dim = 128,
          .ffn_hidden = 18432,
          .gated_mlp = true,
          .vocab = 129280,
          .mtp_layers = 1,
          .mla = MlaSpec{.q_lora_rank = 1536,
                         .kv_lora_rank = 512,
                         .qk_nope_head_dim = 128,
                         .qk_rope_head_dim = 64,
                         .v_head_dim = 128},
          .moe = MoeSpec{.experts = 256,
                         .top_k = 8,
                         .shared_experts = 1,
                         .expert_ffn_hidden = 2048,
                         .leading_dense_layers = 3}};
}

}  // namespace planner::testing
