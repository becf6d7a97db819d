// Items of the calibrated memory model against counts by hand.
#include <doctest/doctest.h>

#include <memory>

#include "planner/perf/calibrated/calibrated.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload workload_of(const TransformerSpec& model, SoftwareClass stack = SoftwareClass::te) {
  Workload workload{.model = model,
                    .system = a100_cluster(),
                    .run = {.global_batch = 64, .sequence = 4096},
                    .gpus = 64};
  workload.timing = prior_calibration();
  workload.software = software_of(stack);
  return workload;
}

Calibrated::StageMemory first_stage(const Workload& workload, const Strategy& strategy) {
  return Calibrated(workload).stage_memory(strategy, 0);
}

}  // namespace

TEST_CASE("ZeRO shards gradients as the software keeps them, and over one rank saves nothing") {
  Workload workload = workload_of(llama_3_1_8b());
  workload.gpus = 8;
  const auto gradients = [&](const Split& tp, const Split& dp, int zero) {
    return first_stage(workload, {.tp = tp, .dp = dp, .zero = zero}).gradients;
  };
  const Bytes whole = gradients({8, 1}, {1, 1}, 0);
  for (const int zero : {1, 2, 3}) CHECK(gradients({8, 1}, {1, 1}, zero) == whole);
  // NVIDIA's tuned recipes reduce 16-bit ones, Megatron-Core fp32 ones beside bf16 weights.
  const auto alone = first_stage(workload, {.tp = {8, 1}});
  CHECK(alone.gradients == alone.weights);
  workload.software = software_of(SoftwareClass::mcore);
  const auto core = first_stage(workload, {.tp = {8, 1}});
  CHECK(core.gradients == 2 * core.weights);
  for (const int zero : {2, 3}) {
    CHECK(gradients({1, 1}, {8, 1}, zero).si() == near(gradients({1, 1}, {8, 1}, 1).si() / 8));
  }
}

TEST_CASE("ranks that split experts gather the tokens of all of them") {
  const Workload workload = workload_of(mixtral_8x7b());
  const auto kept = [&](std::int64_t expert_tp) {
    return first_stage(workload, {.tp = {8, 1}, .dp = {1, 8}, .ep = {1, 8}, .expert_tp = expert_tp})
        .activations_per_sample.si();
  };
  // 2 B of h for each of k = 2 copies of a token, seven times more of them, in 32 layers.
  const double inventory = workload.timing.constants()[Constant::activation_inventory];
  CHECK(kept(8) - kept(1) == near(inventory * 32 * 4096 * 2.0 / 8 * 2 * 4096 * 7));
}

TEST_CASE("weight gradients that wait need what full recomputation brought back") {
  Workload workload = workload_of(gpt_175b());
  Strategy strategy{.tp = {8, 1}, .pp = {1, 8}, .recompute = Recompute::none};
  const auto none = first_stage(workload, strategy);
  CHECK(none.deferred_per_sample.si() == near(32.0 / 34 * none.activations_per_sample.si()));
  strategy.recompute = Recompute::full;
  const auto full = first_stage(workload, strategy);
  CHECK(full.deferred_per_sample == none.deferred_per_sample);
  CHECK(full.activations_per_sample < 0.2 * none.activations_per_sample);
}

TEST_CASE("weight gradients that wait need what modules brought back, but no scores") {
  Workload workload = workload_of(mixtral_8x7b());
  workload.software = software_of(SoftwareClass::te);
  Strategy strategy{.tp = {8, 1}, .pp = {1, 8}, .recompute = Recompute::none};
  const auto none = first_stage(workload, strategy);
  strategy.recompute = Recompute::selective;
  using enum RecomputeModule;
  for (const RecomputeModules& modules :
       {RecomputeModules{layernorm}, RecomputeModules{layernorm, moe_act},
        RecomputeModules{layernorm, moe_act, RecomputeModule::moe}}) {
    strategy.recompute_modules = modules;
    const auto again = first_stage(workload, strategy);
    CHECK(again.activations_per_sample < none.activations_per_sample);
    CHECK(again.deferred_per_sample == none.deferred_per_sample);
  }
  workload.software.attention = AttentionKernel::unfused;
  strategy.recompute_modules = {core_attn};
  CHECK(first_stage(workload, strategy).deferred_per_sample.si() ==
        near(none.deferred_per_sample.si()));
}

TEST_CASE("hybrid sharding keeps as many replicas of the experts as of all else") {
  const Workload workload = workload_of(mixtral_8x7b());
  const auto weights = [&](std::int64_t shard_ranks) {
    return first_stage(workload,
                       {.dp = {8, 8}, .ep = {8, 1}, .zero = 3, .shard_ranks = shard_ranks})
        .weights.si();
  };
  // 64 ranks, 8 of which have the same experts; of two replicas each has 32 and 4.
  CHECK(weights(32) == near(2 * weights(0)));
  CHECK(weights(8) == near(8 * weights(0)));
}

TEST_CASE("experts' outputs are kept where they are weighed after the experts") {
  Workload workload = workload_of(mixtral_8x7b());
  const auto kept = [&](SoftwareClass stack, LossKernel loss) {
    workload.software = software_of(stack);
    workload.software.loss = loss;
    return first_stage(workload, {.dp = {8, 8}, .ep = {8, 1}, .recompute = Recompute::none})
        .activations_per_sample.si();
  };
  // 2 B of h for each of k = 2 copies of a token, in 32 layers.
  const double inventory = workload.timing.constants()[Constant::activation_inventory];
  const double outputs = inventory * 32 * 4096 * 2.0 * 2 * 4096;
  CHECK(kept(SoftwareClass::torch, LossKernel::fused) -
            kept(SoftwareClass::te, LossKernel::fused) ==
        near(outputs));
  CHECK(kept(SoftwareClass::mcore, LossKernel::fused) ==
        kept(SoftwareClass::te, LossKernel::fused));
}

TEST_CASE("inputs of a pipeline's chunks that are freed: one of each chunk and micro-batch") {
  Workload workload = workload_of(llama_3_1_8b());
  workload.run.global_batch = 256;
  Strategy strategy{.tp = {8, 1}, .pp = {1, 4}, .dp = {1, 2}, .recompute = Recompute::none};
  const auto activations = [&](bool freed) {
    workload.software.free_stage_inputs = freed;
    const Calibrated model(workload);
    return model.memory(model.stage_memory(strategy, 0), model.pipeline(strategy)).activations.si();
  };
  const auto saved = [&] { return activations(false) - activations(true); };
  const double inventory = workload.timing.constants()[Constant::activation_inventory];
  const double input = inventory * 4096 * 2.0 * 4096 / 8;
  CHECK(saved() == near(4 * input));  // 1F1B: four micro-batches of one chunk
  strategy.interleave = 4;            // and 4·(1 + 3/16) of four
  CHECK(saved() == near(4 * (1 + 3.0 / 16) * 4 * input));
  // Norms that run again need it once more, as all else does.
  strategy.recompute = Recompute::selective;
  strategy.recompute_modules = {RecomputeModule::mlp};
  CHECK(saved() > 0);
  strategy.recompute_modules = {RecomputeModule::layernorm};
  CHECK(saved() == 0);
  strategy.recompute = Recompute::full;
  strategy.recompute_modules = {};
  CHECK(saved() == 0);
  strategy = {.tp = {8, 1}, .dp = {1, 8}, .recompute = Recompute::none};  // no pipeline
  CHECK(saved() == 0);
}
