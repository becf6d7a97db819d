// Parameter counts of published models from their dimensions: the ones that their authors publish.
#include <doctest/doctest.h>

#include "planner/domain/transformer.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

TEST_CASE("GPT: 12·h² + 13·h per block (Narayanan et al. 2021, Eq. 2)") {
  for (const TransformerSpec& model : {gpt_22b(), gpt_175b(), gpt_530b(), gpt_1t()}) {
    const double h = static_cast<double>(model.hidden);
    CHECK(attention_weights(model) == 4 * h * h);
    CHECK(mlp_weights(model) == 8 * h * h);
    CHECK(dense_block_parameters(model) == 12 * h * h + 13 * h);
    CHECK(score_width(model) == h);
  }
}

TEST_CASE("GPT: totals of Korthikanti et al. 2022, Table 3, and the formula of Narayanan's Eq. 2") {
  CHECK(total_parameters(gpt_22b(), 2048) == near(22e9, 0.01));
  CHECK(total_parameters(gpt_175b(), 2048) == near(175e9, 0.005));
  CHECK(total_parameters(gpt_530b(), 2048) == near(529.6e9, 0.0005));
  CHECK(total_parameters(gpt_1t(), 2048) == near(1008e9, 0.0005));
  // 12·l·h²·(1 + 13/(12h) + (V+s)/(12·l·h)), and the final norm's 2h that it leaves out.
  const double h = 25600, l = 128, V = 51200, s = 2048;
  CHECK(total_parameters(gpt_1t(), 2048) ==
        near(12 * l * h * h * (1 + 13 / (12 * h) + (V + s) / (12 * l * h)) + 2 * h, 1e-15));
}

TEST_CASE("Llama 3.1 8B: 8,030,261,248 parameters, as its checkpoint has") {
  CHECK(total_parameters(llama_3_1_8b(), 8192) == 8030261248.0);
  CHECK(active_parameters(llama_3_1_8b(), 8192) == 8030261248.0);
  // Grouped queries: 2·h·(32 + 8)·128.
  CHECK(attention_weights(llama_3_1_8b()) == 2.0 * 4096 * (4096 + 1024));
  CHECK(mlp_weights(llama_3_1_8b()) == 3.0 * 4096 * 14336);
}

TEST_CASE("Mixtral 8x7B: 46.7e9 parameters, 12.9e9 of them active") {
  CHECK(total_parameters(mixtral_8x7b(), 32768) == 46702792704.0);
  CHECK(active_parameters(mixtral_8x7b(), 32768) == near(12.9e9, 0.002));
}

TEST_CASE("DeepSeek-V3: 671e9 parameters, 37e9 of them active (arXiv 2412.19437 §1)") {
  // Its model card counts the main model without the multi-token-prediction module as 671B.
  CHECK(total_parameters(deepseek_v3(), 4096) == near(671e9, 0.0005));
  // Ours counts both vocabulary matrices (0.93e9 each); the paper does not say what its 37B does.
  const double active = active_parameters(deepseek_v3(), 4096);
  CHECK(active > 36.5e9);
  CHECK(active < 37.6e9);
}

TEST_CASE("multi-head latent attention (arXiv 2405.04434 §2.1)") {
  const TransformerSpec model = deepseek_v3();
  // W_DQ, W_UQ + W_QR, W_DKV + W_KR, W_UK + W_UV, W_O.
  CHECK(attention_weights(model) == 7168.0 * 1536 + 1536.0 * 128 * 192 + 7168.0 * (512 + 64) +
                                        512.0 * 128 * (128 + 128) + 128.0 * 128 * 7168);
  CHECK(score_width(model) == 128 * (192 + 128) / 2.0);
  CHECK(expert_weights(model) == 3.0 * 7168 * 2048);
}

TEST_CASE("what a vocabulary, biases and norms add") {
  TransformerSpec model{.layers = 2,
                        .hidden = 8,
                        .heads = 2,
                        .kv_heads = 1,
                        .head_dim = 4,
                        .ffn_hidden = 16,
                        .vocab = 100};
  const double block = 2 * 8 * (8 + 4) + 2 * 8 * 16 + 2 * 8;  // matrices and two RMS norms
  CHECK(dense_block_parameters(model) == block);
  CHECK(total_parameters(model, 32) == 2 * block + 2 * 100 * 8 + 8);
  model.tied_embeddings = true;
  CHECK(total_parameters(model, 32) == 2 * block + 100 * 8 + 8);
  model.positions = Positions::learned;
  CHECK(total_parameters(model, 32) == 2 * block + (100 + 32) * 8 + 8);
  model.norm = Norm::layer;  // scale and shift
  CHECK(dense_block_parameters(model) == block + 2 * 8);
  model.biases = Biases::qkv;
  CHECK(dense_block_parameters(model) == block + 2 * 8 + (2 + 2 * 1) * 4);
  model.biases = Biases::attention;
  CHECK(dense_block_parameters(model) == block + 2 * 8 + (2 + 2 * 1) * 4 + 8);
  model.biases = Biases::all;
  CHECK(dense_block_parameters(model) == block + 2 * 8 + (2 + 2 * 1) * 4 + 8 + 16 + 8);
}
