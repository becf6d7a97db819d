#pragma once

#include "planner/domain/transformer.hpp"

namespace planner::inline perf {

/// Of a GPT with a 4h MLP, which the closed form takes every model for: kept_activation_bytes().
inline constexpr double kGptActivationBytes = 34;

/// Korthikanti et al. 2022 (arXiv 2205.05198) §4.1, item by item: bytes per hidden unit and token
/// that a layer keeps.
inline double kept_activation_bytes(const TransformerSpec& model) {
  const double h = static_cast<double>(model.hidden);
  const double queries = static_cast<double>(model.heads * model.head_dim) / h;
  const double keys_values = 2 * static_cast<double>(model.kv_heads * model.head_dim) / h;
  const double ffn = static_cast<double>(model.ffn_hidden) / h;
  const double norms = 4, attention_input = 2, mlp_input = 2, dropout_masks = 2;
  return norms + attention_input + 2 * queries + 2 * keys_values + 2 * queries + mlp_input +
         (model.gated_mlp ? 6 : 4) * ffn + dropout_masks;
}

}  // namespace planner::perf
