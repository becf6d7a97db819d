#include "planner/catalog/huggingface/huggingface.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "planner/catalog/huggingface/config.hpp"
#include "planner/catalog/huggingface/families.hpp"
#include "planner/catalog/tables/tables.hpp"

namespace planner::catalog {

using namespace json;

namespace {

constexpr std::size_t kMostWarnings = 20;

std::string string_at(const JsonNode* node) {
  const std::string* const value = node == nullptr ? nullptr : node->get<std::string>();
  return value == nullptr ? "" : *value;
}

std::string first_architecture(const JsonNode& config) {
  const JsonNode* const node = config.find("architectures");
  const auto* const names = node == nullptr ? nullptr : node->get<JsonNode::Array>();
  return names == nullptr || names->empty() ? "" : string_at(&names->front());
}

/// The text model of a config: itself, or its "text_config" when it also has images or sound.
const JsonNode& text_config(const JsonNode& root) {
  const JsonNode* const nested = root.find("text_config");
  const bool multimodal = nested != nullptr && nested->get<JsonNode::Object>() != nullptr &&
                          root.find("hidden_size") == nullptr;
  return multimodal ? *nested : root;
}

/// The name a person knows the file by: that of the file, or of the folder around a config.json.
std::string model_name(std::string_view source_name, const std::string& model_type) {
  const std::filesystem::path path(source_name);
  std::string stem =
      path.stem() == "config" ? path.parent_path().filename().string() : path.stem().string();
  const bool file = !stem.empty() && stem != "." && stem != ".." && source_name != "<stdin>";
  if (file) return stem;
  return model_type.empty() ? "config" : model_type;
}

bool is_gated(ConfigReader& in, const Family& family) {
  if (!family.model_type.empty()) return family.gated_mlp;
  const std::string activation = string_at(in.find({"hidden_act"}));
  return activation.empty() || activation == "silu" || activation == "swish";
}

Biases read_biases(ConfigReader& in, const Family& family) {
  const auto attention = in.read({"attention_bias"}, boolean());
  const bool mlp = in.flag("mlp_bias", family.biases == Biases::all);
  // Without biases in attention but in the MLP, or the reverse of a family that has both: a spec
  // has no name for it.
  if (attention == false && family.biases == Biases::all) in.doubt("attention_bias");
  if (attention != true && family.biases == Biases::none) {
    if (mlp) in.doubt("mlp_bias");
    return Biases::none;
  }
  if (family.biases != Biases::none && !attention.value_or(false)) return family.biases;
  return mlp ? Biases::all : Biases::attention;
}

/// Layers that attend to the window, by the "layer_types" of the config or by the family's rule.
std::int64_t window_layers(ConfigReader& in, const Family& family, std::int64_t layers) {
  const JsonNode* const types = in.find({"layer_types"});
  if (types != nullptr) {
    const auto names = in.read({"layer_types"}, list(text()));
    if (!names) return 0;
    const auto is_not = [](const std::string& name) {
      return name != "sliding_attention" && name != "full_attention";
    };
    if (std::any_of(names->begin(), names->end(), is_not)) in.doubt("layer_types");
    if (static_cast<std::int64_t>(names->size()) != layers) {
      in.report("layer_types", "inconsistent",
                "has " + std::to_string(names->size()) + " entries for " + std::to_string(layers) +
                    " layers");
    }
    return std::count(names->begin(), names->end(), "sliding_attention");
  }
  const std::int64_t period =
      in.read({"sliding_window_pattern", "_sliding_window_pattern"}, integer(1, kMostLayers))
          .value_or(family.full_attention_period);
  switch (family.window_layers) {
    case WindowLayers::none:
      return 0;
    case WindowLayers::all:
      return layers;
    case WindowLayers::after_max_window_layers:
      return std::max<std::int64_t>(
          0, layers - in.read({"max_window_layers"}, layer_count()).value_or(28));
    case WindowLayers::all_but_every_nth:
      return layers - layers / period;
  }
  return 0;
}

void read_window(ConfigReader& in, const Family& family, TransformerSpec& model) {
  if (family.window_layers == WindowLayers::none) return;
  const bool qwen = family.window_layers == WindowLayers::after_max_window_layers;
  const bool used = in.flag("use_sliding_window", !qwen);
  const std::int64_t absent = in.has("sliding_window") ? 0 : family.window;
  const std::int64_t window = in.read({"sliding_window"}, count_or_none()).value_or(absent);
  const std::int64_t layers = window_layers(in, family, model.layers);
  in.find({"max_window_layers"});
  if (!used || window == 0 || layers == 0) return;
  model.sliding_window = window;
  model.sliding_window_layers = layers;
}

std::optional<MlaSpec> read_mla(ConfigReader& in, const Family& family) {
  if (!family.mla && in.find({"kv_lora_rank"}) == nullptr) return std::nullopt;
  return MlaSpec{.q_lora_rank = in.read({"q_lora_rank"}, count_or_none()).value_or(0),
                 .kv_lora_rank = in.required({"kv_lora_rank"}, count()),
                 .qk_nope_head_dim = in.required({"qk_nope_head_dim"}, count()),
                 .qk_rope_head_dim = in.required({"qk_rope_head_dim"}, count_or_none()),
                 .v_head_dim = in.required({"v_head_dim"}, count())};
}

/// How many leading layers "mlp_only_layers" lists; a spec knows no dense layers further on.
std::int64_t leading_dense_layers(ConfigReader& in) {
  const auto dense = in.read({"mlp_only_layers"}, list(layer_count()));
  if (!dense) return 0;
  for (std::size_t i = 0; i < dense->size(); ++i) {
    if ((*dense)[i] == static_cast<std::int64_t>(i)) continue;
    in.doubt("mlp_only_layers");
    return 0;
  }
  return static_cast<std::int64_t>(dense->size());
}

std::optional<MoeSpec> read_moe(ConfigReader& in, const Family& family) {
  const ConfigReader::Keys experts = {"n_routed_experts", "num_local_experts", "num_experts"};
  if (!family.moe && in.find(experts) == nullptr) return std::nullopt;
  for (const std::string_view step : {"decoder_sparse_step", "moe_layer_freq"}) {
    if (in.read({step}, layer_count()).value_or(1) != 1) in.doubt(step);
  }
  const std::int64_t leading = leading_dense_layers(in);
  return MoeSpec{
      .experts = in.required(experts, count()),
      .top_k = in.required({"num_experts_per_tok", "experts_per_token"}, count()),
      .shared_experts = in.read({"n_shared_experts"}, count_or_none()).value_or(0),
      .expert_ffn_hidden = in.required({"moe_intermediate_size", "intermediate_size"}, count()),
      .leading_dense_layers = in.read({"first_k_dense_replace"}, layer_count()).value_or(leading)};
}

/// A dimension that follows from others must keep the same bound.
std::int64_t bounded(ConfigReader& in, std::string_view key, std::int64_t dimension) {
  if (dimension > kLargestCount) in.report(key, "out-of-range", "is too large");
  return dimension;
}

/// Width of the dense MLP, which a mixture of experts need not have.
std::int64_t read_ffn_hidden(ConfigReader& in, const Family& family, const TransformerSpec& model) {
  const ConfigReader::Keys keys = {"intermediate_size", "n_inner"};
  if (in.find(keys) == nullptr) {
    if (model.moe) return model.moe->expert_ffn_hidden;
    if (family.ffn_over_hidden > 0) {
      return bounded(in, "n_embd", family.ffn_over_hidden * model.hidden);
    }
  }
  return in.required(keys, count());
}

TransformerSpec read_spec(ConfigReader& in, const Family& family) {
  TransformerSpec model;
  model.layers = in.required({"num_hidden_layers", "n_layer"}, integer(1, kMostLayers));
  model.hidden = in.required({"hidden_size", "n_embd"}, count());
  model.heads = in.required({"num_attention_heads", "n_head"}, count());
  model.kv_heads = in.read({"num_key_value_heads"}, count())
                       .value_or(in.has("num_key_value_heads") ? 0 : family.kv_heads);
  model.head_dim = in.read({"head_dim"}, count()).value_or(family.head_dim);
  model.vocab = in.required({"vocab_size"}, count());
  model.gated_mlp = is_gated(in, family);
  model.tied_embeddings = in.flag("tie_word_embeddings", family.tied_embeddings);
  model.norm = family.norm;
  model.positions = family.positions;
  model.biases = read_biases(in, family);
  model.qk_norm = in.flag("use_qk_norm", family.qk_norm);
  model.mtp_layers = in.read({"num_nextn_predict_layers"}, layer_count()).value_or(0);
  model.mla = read_mla(in, family);
  model.moe = read_moe(in, family);
  model.ffn_hidden = read_ffn_hidden(in, family, model);
  read_window(in, family, model);
  // With latent attention "head_dim" is only the rotary part (or absent): queries have both.
  if (model.mla) {
    model.head_dim =
        bounded(in, "qk_nope_head_dim", model.mla->qk_nope_head_dim + model.mla->qk_rope_head_dim);
  }
  return model;
}

/// The Hugging Face key that a check of ours is about.
std::string_view huggingface_key(std::string_view ours) {
  if (ours == "kv_heads") return "num_key_value_heads";
  if (ours == "heads") return "num_attention_heads";
  if (ours == "moe.top_k") return "num_experts_per_tok";
  if (ours == "moe.leading_dense_layers") return "first_k_dense_replace";
  return ours;
}

void check_spec(ConfigReader& in, const TransformerSpec& model) {
  for (const Check<TransformerSpec>& check : model_table().checks) {
    if (!check.holds(model)) {
      in.report(huggingface_key(check.keys.front()), "inconsistent", check.message(model));
    }
  }
}

void report_duplicates(const JsonNode& object, const ReadContext& context) {
  std::set<std::string_view> seen;
  for (const JsonMember& member : *object.get<JsonNode::Object>()) {
    if (seen.insert(member.key).second) continue;
    context.problems.add(member.key_offset, "duplicate-key",
                         "duplicate key " + in_quotes(member.key), "keep one of them");
  }
}

/// Sorts the keys of the object into the three lists, with a warning for each of the last.
void sort_keys(const ConfigReader& in, SourceText source, HuggingFaceModel& model) {
  for (const JsonMember& member : *in.object().get<JsonNode::Object>()) {
    if (in.understood(member.key)) {
      model.understood.push_back(member.key);
    } else if (is_harmless_key(member.key)) {
      model.ignored.push_back(member.key);
    } else {
      model.not_understood.push_back(member.key);
      if (model.not_understood.size() > kMostWarnings) continue;
      model.warnings.push_back(source.diagnose(
          member.key_offset, "ignored-key",
          in_quotes(member.key) + " is not understood and has no effect on the model"));
    }
  }
  if (model.not_understood.size() > kMostWarnings) {
    model.warnings.push_back(
        {.code = "ignored-key",
         .message = std::to_string(model.not_understood.size() - kMostWarnings) +
                    " more keys are not understood",
         .file = std::string(source.name)});
  }
}

/// Encoders, encoder-decoders and state-space models: their keys look like a decoder's, their
/// layers are others.
bool is_no_decoder(std::string_view model_type) {
  constexpr std::array<std::string_view, 20> kOthers{
      "albert",  "bart",         "bert",  "clip",  "deberta", "deberta-v2", "distilbert",
      "electra", "falcon_mamba", "jamba", "mamba", "mamba2",  "mbart",      "modernbert",
      "mt5",     "roberta",      "rwkv",  "t5",    "vit",     "whisper"};
  return std::find(kOthers.begin(), kOthers.end(), model_type) != kOthers.end();
}

/// Adapters beside frozen weights are another run: neither gradients nor optimizer states of what
/// is frozen, and products of low rank.
void refuse_adapter(const JsonNode& root, SourceText source) {
  const JsonNode* const type = root.find("peft_type");
  if (type == nullptr) return;
  const std::string base = string_at(root.find("base_model_name_or_path"));
  throw InputError(
      source.diagnose(type->offset, "unsupported-model",
                      "an adapter (LoRA and its like) beside frozen weights is not modelled",
                      "what is planned is training of all weights: give the config.json of the "
                      "model that it adapts" +
                          (base.empty() ? "" : ", " + in_quotes(base))));
}

bool is_true(const JsonNode* node) {
  const bool* const value = node == nullptr ? nullptr : node->get<bool>();
  return value != nullptr && *value;
}

/// Attention with linear biases (ALiBi, Press et al. 2022, arXiv 2108.12409): of BLOOM always, of
/// others where their config says so.
void refuse_alibi(const JsonNode& config, std::string_view type, SourceText source) {
  const JsonNode* const attention = config.find("attn_config");
  const bool inner = attention != nullptr && attention->get<JsonNode::Object>() != nullptr &&
                     is_true(attention->find("alibi"));
  if (type != "bloom" && !inner && !is_true(config.find("alibi"))) return;
  const JsonNode* const named = config.find("model_type");
  throw InputError(source.diagnose(
      named == nullptr ? config.offset : named->offset, "unsupported-model",
      "attention with linear biases (ALiBi) is not modelled",
      "give its dimensions in a model file of ours (planner schema model): rotary positions have "
      "as "
      "many parameters and products, and kernels of attention that add biases may be slower"));
}

}  // namespace

bool is_huggingface(const JsonNode& root) {
  return root.find("model_type") != nullptr || root.find("architectures") != nullptr ||
         root.find("peft_type") != nullptr;
}

HuggingFaceModel read_huggingface(const JsonNode& root, SourceText source) {
  Problems problems(source);
  const ReadContext context{problems, "model"};
  if (!json::detail::expect_object(root, context)) problems.throw_if_any();
  refuse_adapter(root, source);
  const JsonNode& config = text_config(root);
  const bool nested = &config != &root;
  if (nested) report_duplicates(root, context);
  report_duplicates(config, context);

  ConfigReader in(config, nested ? context.member("text_config") : context);
  in.find({"architectures"});
  const std::string type = in.read({"model_type"}, text()).value_or("");
  const Family* const family = find_family(type, first_architecture(config));
  if (is_no_decoder(type)) {
    throw InputError(
        source.diagnose(config.find("model_type")->offset, "unsupported-model",
                        "model_type " + in_quotes(type) + " is no decoder-only transformer",
                        "planner knows decoder-only transformers; give its dimensions in a model "
                        "file of ours if it "
                        "is one (planner schema model)"));
  }
  refuse_alibi(config, type, source);
  HuggingFaceModel model;
  model.spec = read_spec(in, family == nullptr ? llama_style() : *family);
  if (problems.count() == 0) check_spec(in, model.spec);
  problems.throw_if_any();

  model_table().complete(model.spec);
  model.spec.name = model_name(source.name, type);
  model.spec.title = model.spec.name;
  if (family == nullptr) {
    const JsonNode* const named = config.find("model_type");
    model.warnings.push_back(source.diagnose(
        named == nullptr ? config.offset : named->offset, "unknown-model-type",
        "model_type " + in_quotes(type) + " is not known: read as a Llama-style model"));
  }
  sort_keys(in, source, model);
  return model;
}

HuggingFaceModel parse_huggingface(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  return read_huggingface(parse_json(source), source);
}

}  // namespace planner::catalog
