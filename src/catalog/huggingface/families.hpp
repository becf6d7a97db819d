#pragma once

#include <cstdint>
#include <string_view>

#include "planner/domain/transformer.hpp"

namespace planner::catalog {

/// Which layers of a family attend to a sliding window, when its config names one.
enum class WindowLayers {
  none,
  all,
  after_max_window_layers,  ///< only with use_sliding_window
  all_but_every_nth         ///< every `full_attention_period`-th layer is a full one
};

/// What a model_type implies without a key saying so, and the defaults of its keys. 0 stands for
/// "no default of its own". Source: the configuration classes of Hugging Face transformers.
struct Family {
  std::string_view model_type;
  std::string_view architecture;  ///< its class names start so: "LlamaForCausalLM"
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn_over_hidden = 0;  ///< MLP width when the config gives none
  bool gated_mlp = true;
  bool tied_embeddings = false;
  Norm norm = Norm::rms;
  Positions positions = Positions::rotary;
  Biases biases = Biases::none;
  bool qk_norm = false;
  bool mla = false;
  bool moe = false;
  WindowLayers window_layers = WindowLayers::none;
  std::int64_t window = 0;
  std::int64_t full_attention_period = 0;
};

/// The family of a model_type, or of an architecture when the type is empty; null when unknown.
const Family* find_family(std::string_view model_type, std::string_view architecture);

/// How a config of an unknown family is read: like Llama's.
const Family& llama_style();

/// Whether a key is known to have no effect on the dimensions of a model.
bool is_harmless_key(std::string_view key);

}  // namespace planner::catalog
