#include "planner/catalog/huggingface/huggingface.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "support/documents.hpp"
#include "support/models.hpp"

using namespace planner;
using namespace planner::catalog;
using namespace planner::testing;

namespace {

// The dimensions of published configs on huggingface.co, with a few of the other keys.
const std::string kLlama3 = R"({
  "architectures": ["LlamaForCausalLM"],
  "attention_bias": false,
  "bos_token_id": 128000,
  "hidden_act": "silu",
  "hidden_size": 4096,
  "intermediate_size": 14336,
  "model_type": "llama",
  "num_attention_heads": 32,
  "num_hidden_layers": 32,
  "num_key_value_heads": 8,
  "rope_scaling": null,
  "tie_word_embeddings": false,
  "torch_dtype": "bfloat16",
  "vocab_size": 128256
})";

const std::string kMixtral = R"({"model_type": "mixtral", "hidden_size": 4096,
  "intermediate_size": 14336, "num_attention_heads": 32, "num_experts_per_tok": 2,
  "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8,
  "sliding_window": null, "vocab_size": 32000})";

const std::string kQwen2 = R"({"model_type": "qwen2", "hidden_size": 3584,
  "intermediate_size": 18944, "max_window_layers": 28, "num_attention_heads": 28,
  "num_hidden_layers": 28, "num_key_value_heads": 4, "sliding_window": 131072,
  "tie_word_embeddings": false, "use_sliding_window": false, "vocab_size": 152064})";

const std::string kQwen3Moe = R"({"model_type": "qwen3_moe", "attention_bias": false,
  "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 2048, "intermediate_size": 6144,
  "mlp_only_layers": [], "moe_intermediate_size": 768, "num_attention_heads": 32,
  "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48,
  "num_key_value_heads": 4, "sliding_window": null, "use_sliding_window": false,
  "vocab_size": 151936})";

const std::string kDeepSeekV3 = R"({"architectures": ["DeepseekV3ForCausalLM"],
  "model_type": "deepseek_v3", "first_k_dense_replace": 3, "hidden_size": 7168,
  "intermediate_size": 18432, "kv_lora_rank": 512, "moe_intermediate_size": 2048,
  "moe_layer_freq": 1, "n_group": 8, "n_routed_experts": 256, "n_shared_experts": 1,
  "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61,
  "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536,
  "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280})";

const std::string kDeepSeekMoe = R"({"model_type": "deepseek", "first_k_dense_replace": 1,
  "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
  "moe_layer_freq": 1, "n_routed_experts": 64, "n_shared_experts": 2, "num_attention_heads": 16,
  "num_experts_per_tok": 6, "num_hidden_layers": 28, "num_key_value_heads": 16,
  "vocab_size": 102400})";

const std::string kGptOss = R"({"model_type": "gpt_oss", "attention_bias": true, "head_dim": 64,
  "experts_per_token": 4, "hidden_size": 2880, "intermediate_size": 2880,
  "num_attention_heads": 64, "num_experts_per_tok": 4, "num_hidden_layers": 24,
  "num_key_value_heads": 8, "num_local_experts": 32, "sliding_window": 128,
  "tie_word_embeddings": false, "vocab_size": 201088})";

const std::string kGpt2 = R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"],
  "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024,
  "vocab_size": 50257})";

const std::string kGptNeoX = R"({"model_type": "gpt_neox", "hidden_size": 6144,
  "intermediate_size": 24576, "num_attention_heads": 64, "num_hidden_layers": 44,
  "rotary_pct": 0.25, "tie_word_embeddings": false, "use_parallel_residual": true,
  "vocab_size": 50432})";

const std::string kGemma2 = R"({"model_type": "gemma2", "head_dim": 256, "hidden_size": 3584,
  "intermediate_size": 14336, "num_attention_heads": 16, "num_hidden_layers": 42,
  "num_key_value_heads": 8, "query_pre_attn_scalar": 256, "sliding_window": 4096,
  "vocab_size": 256000})";

TransformerSpec spec(const std::string& text) {
  return parse_huggingface(text, "c.json").spec;
}
Lines config_faults(const std::string& text) {
  return told([&] { parse_huggingface(text, "c.json"); });
}
double billions(const TransformerSpec& model) {
  return total_parameters(model, 1024) / 1e9;
}

}  // namespace

TEST_CASE("parameters are those published") {
  using doctest::Approx;
  CHECK(billions(spec(kLlama3)) == Approx(8.03).epsilon(0.001));       // model card
  CHECK(billions(spec(kMixtral)) == Approx(46.7).epsilon(0.001));      // arXiv 2401.04088 §2
  CHECK(billions(spec(kQwen2)) == Approx(7.616).epsilon(0.001));       // model card: 7.61B
  CHECK(billions(spec(kQwen3Moe)) == Approx(30.5).epsilon(0.002));     // model card
  CHECK(billions(spec(kDeepSeekV3)) == Approx(671).epsilon(0.001));    // arXiv 2412.19437 abstract
  CHECK(billions(spec(kDeepSeekMoe)) == Approx(16.4).epsilon(0.003));  // arXiv 2401.06066 Table 3
  CHECK(billions(spec(kGptOss)) == Approx(20.91).epsilon(0.001));      // model card, Table 1
  CHECK(billions(spec(kGpt2)) == Approx(0.1244).epsilon(0.001));       // 124M
  CHECK(billions(spec(kGptNeoX)) == Approx(20.55).epsilon(0.001));     // arXiv 2204.06745 §2
  CHECK(billions(spec(kGemma2)) == Approx(9.24).epsilon(0.001));       // arXiv 2408.00118 Table 2
}

TEST_CASE("active parameters of mixtures are those published") {
  using doctest::Approx;
  CHECK(active_parameters(spec(kMixtral), 1024) / 1e9 == Approx(12.9).epsilon(0.005));
  CHECK(active_parameters(spec(kDeepSeekV3), 1024) / 1e9 == Approx(37).epsilon(0.02));
}

TEST_CASE("a Llama") {
  const HuggingFaceModel model = parse_huggingface(kLlama3, "hub/Llama-3-8B/config.json");
  TransformerSpec expected = testing::llama_3_1_8b();
  expected.name = expected.title = "Llama-3-8B";
  CHECK(model.spec == expected);
  CHECK(model.understood == Lines{"architectures", "attention_bias", "hidden_size",
                                  "intermediate_size", "model_type", "num_attention_heads",
                                  "num_hidden_layers", "num_key_value_heads", "tie_word_embeddings",
                                  "vocab_size"});
  CHECK(model.ignored == Lines{"bos_token_id", "hidden_act", "rope_scaling", "torch_dtype"});
  CHECK(model.not_understood.empty());
  CHECK(model.warnings.empty());
}

TEST_CASE("what a family implies") {
  CHECK(spec(kQwen2).biases == Biases::qkv);
  CHECK(spec(kQwen3Moe).qk_norm);
  CHECK(spec(kGptOss).biases == Biases::all);
  CHECK(spec(kGpt2).positions == Positions::learned);
  CHECK(spec(kGpt2).tied_embeddings);
  CHECK_FALSE(spec(kGpt2).gated_mlp);
  CHECK(spec(kGpt2).ffn_hidden == 4 * 768);
  CHECK(spec(kGptNeoX).norm == Norm::layer);
  CHECK(spec(kGptNeoX).kv_heads == 64);
  CHECK(spec(kGemma2).tied_embeddings);
  CHECK(spec(kDeepSeekV3).mtp_layers == 1);
  CHECK(spec(kDeepSeekV3).moe == testing::deepseek_v3().moe);
  CHECK(spec(kDeepSeekV3).mla == testing::deepseek_v3().mla);
  CHECK(spec(replaced(kDeepSeekV3, "1536", "null")).mla->q_lora_rank == 0);
  CHECK(spec(replaced(kLlama3, "\"attention_bias\": false", "\"attention_bias\": true")).biases ==
        Biases::attention);
  // The same model without model_type, by its class.
  const std::string by_class = replaced(kGpt2, "\"model_type\": \"gpt2\", ", "");
  CHECK(spec(by_class).norm == Norm::layer);
}

TEST_CASE("sliding windows") {
  CHECK(spec(kQwen2).sliding_window == 0);
  const TransformerSpec used =
      spec(replaced(replaced(kQwen2, "\"max_window_layers\": 28", "\"max_window_layers\": 20"),
                    "\"use_sliding_window\": false", "\"use_sliding_window\": true"));
  CHECK(used.sliding_window == 131072);
  CHECK(used.sliding_window_layers == 8);
  CHECK(spec(kGptOss).sliding_window == 128);
  CHECK(spec(kGptOss).sliding_window_layers == 12);
  CHECK(spec(kGemma2).sliding_window_layers == 21);
  const std::string mistral =
      replaced(kLlama3, "\"model_type\": \"llama\"", "\"model_type\": \"mistral\"");
  CHECK(spec(mistral).sliding_window == 4096);  // the default of MistralConfig
  CHECK(spec(mistral).sliding_window_layers == 32);
  const std::string full = replaced(mistral, "\"rope_scaling\": null", "\"sliding_window\": null");
  CHECK(spec(full).sliding_window == 0);
  const std::string types = R"(["sliding_attention", "full_attention", "sliding_attention"])";
  const std::string listed =
      replaced(replaced(kGptOss, "\"num_hidden_layers\": 24", "\"num_hidden_layers\": 3"),
               "\"vocab_size\"", "\"layer_types\": " + types + ", \"vocab_size\"");
  CHECK(spec(listed).sliding_window_layers == 2);
  CHECK(config_faults(replaced(listed, "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 4"))
            .at(0)
            .find("\"layer_types\": has 3 entries for 4 layers") != std::string::npos);
}

TEST_CASE("the text part of a multimodal model") {
  const std::string text =
      "{\"model_type\": \"mistral3\", \"architectures\": [\"X\"],\n\"text_config\": " + kLlama3 +
      "}";
  CHECK(spec(text).hidden == 4096);
  CHECK(config_faults(replaced(text, "\"hidden_size\": 4096", "\"hidden_size\": 0")) ==
        Lines{"out-of-range 7:18 \"text_config.hidden_size\": must be positive, got 0"});
}

TEST_CASE("keys that are not understood are named, with their place") {
  const HuggingFaceModel model = parse_huggingface(
      replaced(kLlama3, "\"bos_token_id\"", "\"ssm_state\": 16,\n  \"bos_token_id\""), "c.json");
  CHECK(model.not_understood == Lines{"ssm_state"});
  REQUIRE(model.warnings.size() == 1);
  CHECK(to_string(model.warnings[0]) ==
        "c.json:4:3: \"ssm_state\" is not understood and has no effect on the model");
}

TEST_CASE("values that a spec cannot express are not understood either") {
  const auto doubted = [](const std::string& text) {
    return parse_huggingface(text, "c.json").not_understood;
  };
  CHECK(doubted(replaced(kQwen3Moe, "\"decoder_sparse_step\": 1", "\"decoder_sparse_step\": 2")) ==
        Lines{"decoder_sparse_step"});
  CHECK(doubted(replaced(kQwen3Moe, "\"mlp_only_layers\": []", "\"mlp_only_layers\": [5]")) ==
        Lines{"mlp_only_layers"});
  CHECK(spec(replaced(kQwen3Moe, "\"mlp_only_layers\": []", "\"mlp_only_layers\": [0, 1]"))
            .moe->leading_dense_layers == 2);
  CHECK(doubted(replaced(kGptOss, "\"attention_bias\": true", "\"attention_bias\": false")) ==
        Lines{"attention_bias"});
}

TEST_CASE("an unknown model_type is read like a Llama, with a warning") {
  const HuggingFaceModel model =
      parse_huggingface(replaced(kLlama3, "\"llama\"", "\"shiny\""), "c.json");
  CHECK(model.spec.hidden == 4096);
  CHECK(model.spec.gated_mlp);
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].code == "unknown-model-type");
  CHECK(model.warnings[0].line == 8);
  const std::string gelu = replaced(replaced(kLlama3, "\"llama\"", "\"shiny\""), "silu", "gelu");
  CHECK_FALSE(spec(gelu).gated_mlp);
}

TEST_CASE("missing dimensions") {
  CHECK(config_faults("{\"model_type\": \"llama\"}") ==
        Lines{"missing-key 1:1 missing key \"num_hidden_layers\"",
              "missing-key 1:1 missing key \"hidden_size\"",
              "missing-key 1:1 missing key \"num_attention_heads\"",
              "missing-key 1:1 missing key \"vocab_size\"",
              "missing-key 1:1 missing key \"intermediate_size\""});
  CHECK(config_faults(replaced(kLlama3, "\"vocab_size\": 128256", "\"vocab_size\": null")) ==
        Lines{"missing-key 1:1 missing key \"vocab_size\""});
  CHECK(config_faults(
            replaced(kMixtral, "\"num_local_experts\": 8", "\"num_local_experts\": null")) ==
        Lines{"missing-key 1:1 missing key \"n_routed_experts\""});
  CHECK(config_faults(replaced(kDeepSeekV3, "\"kv_lora_rank\": 512", "\"kv_lora_rank\": null")) ==
        Lines{"missing-key 1:1 missing key \"kv_lora_rank\""});
}

TEST_CASE("bad values") {
  CHECK(config_faults("[1]") == Lines{"wrong-type 1:1 expected an object, got an array"});
  CHECK(config_faults(replaced(kQwen3Moe, "\"num_experts\": 128", "\"num_experts\": 0")) ==
        Lines{"out-of-range 4:18 \"num_experts\": must be positive, got 0"});
  CHECK(config_faults(replaced(kLlama3, "\"hidden_size\": 4096", "\"hidden_size\": -1")) ==
        Lines{"out-of-range 6:18 \"hidden_size\": must be positive, got -1"});
  CHECK(config_faults(replaced(kLlama3, "\"hidden_size\": 4096", "\"hidden_size\": \"4096\"")) ==
        Lines{"wrong-type 6:18 \"hidden_size\": expected an integer, got a string"});
  CHECK(config_faults(replaced(kLlama3, "\"hidden_size\": 4096", "\"hidden_size\": 1e12")).size() ==
        1);
  CHECK(config_faults(
            replaced(kLlama3, "\"tie_word_embeddings\": false", "\"tie_word_embeddings\": 0")) ==
        Lines{"wrong-type 13:26 \"tie_word_embeddings\": expected true or false, got an integer"});
  CHECK(config_faults(
            replaced(kLlama3, "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 5")) ==
        Lines{"inconsistent 11:26 \"num_key_value_heads\": 5 does not divide the 32 heads"});
  CHECK(config_faults(
            replaced(kMixtral, "\"num_experts_per_tok\": 2", "\"num_experts_per_tok\": 9")) ==
        Lines{"inconsistent 2:81 \"num_experts_per_tok\": 9 experts per token of only 8"});
  CHECK(config_faults(replaced(kLlama3, "\"bos_token_id\": 128000", "\"hidden_size\": 1")) ==
        Lines{"duplicate-key 6:3 duplicate key \"hidden_size\""});
  CHECK(config_faults(replaced(kLlama3, "\"llama\"", "7")) ==
        Lines{"wrong-type 8:17 \"model_type\": expected a string, got an integer"});
  // Derived dimensions keep the bound as well.
  CHECK(config_faults(replaced(kGpt2, "\"n_embd\": 768", "\"n_embd\": 999999996")) ==
        Lines{"out-of-range 2:28 \"n_embd\": is too large"});
}

TEST_CASE("a Hugging Face file is accepted where a model is, and becomes one of ours") {
  for (const std::string& text : {kLlama3, kMixtral, kQwen2, kQwen3Moe, kDeepSeekV3, kDeepSeekMoe,
                                  kGptOss, kGpt2, kGptNeoX, kGemma2}) {
    const LoadedModel loaded = parse_model(text, "x/config.json");
    CHECK(loaded.warnings.empty());
    CHECK(loaded.spec.name == "x");
    CHECK(parse_model(to_json(loaded.spec).dump(), "y").spec == loaded.spec);
  }
}

TEST_CASE("many keys that are not understood give a bounded number of warnings") {
  std::string keys;
  for (int i = 0; i < 1000; ++i) keys += "\"k" + std::to_string(i) + "\": 0, ";
  const HuggingFaceModel model =
      parse_huggingface(replaced(kLlama3, "\"bos_token_id\"", keys + "\"bos_token_id\""), "c.json");
  CHECK(model.not_understood.size() == 1000);
  REQUIRE(model.warnings.size() == 21);
  CHECK(model.warnings.back().message == "980 more keys are not understood");
}

TEST_CASE("names of models") {
  CHECK(parse_huggingface(kGpt2, "mine.json").spec.name == "mine");
  CHECK(parse_huggingface(kGpt2, "config.json").spec.name == "gpt2");
  CHECK(parse_huggingface(kGpt2, "<stdin>").spec.name == "gpt2");
}
TEST_CASE("what is no decoder-only transformer is refused, not read as one") {
  for (const char* type : {"bert", "mamba", "t5"}) {
    CAPTURE(type);
    const std::string text = std::string{"{\"model_type\": \""} + type +
                             "\", \"hidden_size\": 768, \"num_hidden_layers\": 12, "
                             "\"num_attention_heads\": 12, \"intermediate_size\": 3072, "
                             "\"vocab_size\": 30522}";
    CHECK_THROWS_AS(catalog::parse_huggingface(text, "config.json"), planner::InputError);
  }
}

TEST_CASE("adapters and attention with linear biases are refused by name") {
  const auto refused = [](const std::string& text) {
    try {
      catalog::parse_huggingface(text, "config.json");
    } catch (const planner::InputError& error) {
      REQUIRE(error.diagnostics().size() == 1);
      CHECK(error.diagnostics().front().code == "unsupported-model");
      return error.diagnostics().front().message;
    }
    return std::string();
  };
  CHECK(refused(R"({"peft_type": "LORA", "r": 8, "base_model_name_or_path": "llama"})")
            .find("frozen weights") != std::string::npos);
  CHECK(refused(R"({"model_type": "bloom", "n_layer": 70, "hidden_size": 14336})").find("ALiBi") !=
        std::string::npos);
  CHECK(refused(R"({"model_type": "mpt", "d_model": 4096, "attn_config": {"alibi": true}})")
            .find("ALiBi") != std::string::npos);
}
