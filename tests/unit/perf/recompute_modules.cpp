// Megatron-Core's recompute modules, widths of gradients and moments, and the step of the
// optimizer, against counts by hand.
#include <doctest/doctest.h>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/timing_model.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"
#include "support/near.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload recomputing(const TransformerSpec& model, SoftwareClass stack = SoftwareClass::te) {
  Workload workload{.model = model,
                    .system = a100_cluster(),
                    .run = {.global_batch = 64, .sequence = 4096},
                    .gpus = 64};
  workload.system.accelerator.memory_bandwidth = 2039 * units::GBps;
  workload.system.accelerator.datasheet.fp8 = 2 * *workload.system.accelerator.datasheet.bf16;
  workload.timing = prior_calibration();
  workload.software = software_of(stack);
  return workload;
}

Strategy selective(RecomputeModules modules) {
  return {.tp = {8, 1},
          .dp = {1, 8},
          .recompute = modules.empty() ? Recompute::none : Recompute::selective,
          .recompute_modules = modules,
          .zero = 1};
}

/// Bytes per token and layer that running modules again frees.
double freed(const Workload& workload, const Strategy& with, RecomputeModules modules) {
  Strategy without = with;
  without.recompute = Recompute::selective;
  without.recompute_modules = modules;
  const Calibrated model(workload);
  const double all = model.stage_memory(with, 0).activations_per_sample.si();
  const double some = model.stage_memory(without, 0).activations_per_sample.si();
  const double inventory = workload.timing.constants()[Constant::activation_inventory];
  return (all - some) / inventory / 4096;
}

Seconds layer_time(const Workload& workload, const Strategy& strategy) {
  return Calibrated(workload).micro_batch(strategy).layer.total();
}

}  // namespace

TEST_CASE("experts that are run again are told in the explanation") {
  const Workload workload = recomputing(mixtral_8x7b());
  const Strategy strategy = selective({RecomputeModule::moe});
  CHECK(explain(workload, strategy).back().value ==
        near(make_plan(workload, strategy).time.total().si()));
}

TEST_CASE("what norms and MLPs that run again leave unkept") {
  const Workload workload = recomputing(llama_3_1_8b());
  const Strategy none = selective({});
  CHECK(freed(workload, none, {RecomputeModule::layernorm}) == near(32 * 2 * 2 * 4096 / 8.0));
  CHECK(freed(workload, none, {RecomputeModule::mlp}) == near(32 * 6 * 14336 / 8.0));
  // Products' inputs have 8 bits: two of the six bytes become one.
  Workload fp8 = workload;
  fp8.run.precision = Precision::fp8;
  CHECK(freed(fp8, none, {RecomputeModule::layernorm}) == near(32 * 2 * 1 * 4096 / 8.0));
  CHECK(freed(fp8, none, {RecomputeModule::mlp}) == near(32 * 5 * 14336 / 8.0));
}

TEST_CASE("what experts that run again leave unkept") {
  const Workload workload = recomputing(mixtral_8x7b());
  Strategy none = selective({});
  none.ep = {1, 8};
  CHECK(freed(workload, none, {RecomputeModule::moe_act}) == near(32 * 2 / 8.0 * 2 * 14336));
  CHECK(freed(workload, none, {RecomputeModule::moe}) ==
        near(32 * 2 / 8.0 * (2 * 4096 + 6 * 14336)));
}

TEST_CASE("of latent attention that runs again the latents stay") {
  Workload workload = recomputing(deepseek_v3());
  workload.model.mtp_layers = 0;
  Strategy none = selective({});
  none.ep = {1, 8};
  const double widths = 128 * (2.0 * 192 + 128) + 1536 + 512;
  CHECK(freed(workload, none, {RecomputeModule::mla_up_proj}) ==
        near(61 * (2 * widths / 8 - 2 * (1536 + 512))));
}

TEST_CASE("modules take the time of what they run again, and less than all of it") {
  const Workload workload = recomputing(llama_3_1_8b());
  const Seconds none = layer_time(workload, selective({}));
  const Seconds norms = layer_time(workload, selective({RecomputeModule::layernorm}));
  const Seconds both =
      layer_time(workload, selective({RecomputeModule::layernorm, RecomputeModule::mlp}));
  Strategy full = selective({});
  full.recompute = Recompute::full;
  CHECK(none < norms);
  CHECK(norms < both);
  CHECK(both < layer_time(workload, full));
  full.recomputed_layers = 0.25;
  const Seconds quarter = layer_time(workload, full);
  full.recomputed_layers = 1;
  CHECK((quarter - none).si() == near(0.25 * (layer_time(workload, full) - none).si()));
}

TEST_CASE("gradients are kept as they are reduced, and fp32 ones of the shard while Adam runs") {
  Workload workload = recomputing(llama_3_1_8b());
  const Strategy strategy = selective({});
  const auto wide = [&] {
    workload.software.gradient_reduce_bytes = 4;
    return Calibrated(workload).stage_memory(strategy, 0);
  }();
  workload.software.gradient_reduce_bytes = 2;
  const auto narrow = Calibrated(workload).stage_memory(strategy, 0);
  CHECK(wide.gradients.si() == near(2 * narrow.gradients.si()));
  CHECK(wide.while_stepping == Bytes{});
  // 4 B of an eighth of what has 2 B of weights.
  CHECK(narrow.while_stepping.si() == near(4 * narrow.weights.si() / 2 / 8));
  workload.software.moment_bytes = 2;
  const auto small = Calibrated(workload).stage_memory(strategy, 0);
  CHECK(small.optimizer.si() == near(narrow.optimizer.si() * 8 / 12));
}

TEST_CASE("the peak is the greater of backward pass and step") {
  Workload workload = recomputing(llama_3_1_8b());
  workload.gpus = 8;
  workload.run = {.global_batch = 8, .sequence = 128};  // hardly any activations
  Strategy strategy{.tp = {8, 1}, .recompute = Recompute::none};
  const Plan plan = make_plan(workload, strategy);
  CHECK(plan.memory.activations == Bytes{});
  CHECK(plan.memory.logits == Bytes{});
  CHECK(plan.memory.optimizer.si() == near(plan.memory.weights.si() / 2 * 16));
  workload.run.sequence = 65536;
  const Plan longer = make_plan(workload, strategy);
  CHECK(longer.memory.activations > Bytes{});
  CHECK(longer.memory.optimizer.si() == near(longer.memory.weights.si() / 2 * 12));
}

TEST_CASE("optimizer states in host memory are on the GPU for the step alone") {
  Workload workload = recomputing(llama_3_1_8b());
  workload.software.gradient_reduce_bytes = 2;
  Strategy strategy = selective({});
  const auto stage = [&](int zero, bool offloaded) {
    strategy.zero = zero;
    workload.software.offloaded_optimizer = offloaded;
    return Calibrated(workload).stage_memory(strategy, 0);
  };
  const auto on_gpu = stage(1, false), fetched = stage(1, true);
  CHECK(fetched.optimizer == Bytes{});
  CHECK(fetched.while_stepping.si() == near(on_gpu.while_stepping.si() + on_gpu.optimizer.si()));
  // Megatron-Core can do that with its distributed optimizer alone.
  CHECK(stage(0, true).optimizer == stage(0, false).optimizer);
  CHECK(stage(2, true).optimizer == stage(2, false).optimizer);
  workload.software.stack = SoftwareClass::flash;
  CHECK(stage(1, true).optimizer == stage(1, false).optimizer);
}

TEST_CASE("the loss layer's bytes go by its kernel and its chunks") {
  Workload workload = recomputing(llama_3_1_8b());
  const Strategy strategy = selective({});
  const auto logits = [&](LossKernel loss, std::int64_t chunks) {
    workload.software.loss = loss;
    workload.software.loss_chunks = chunks;
    return Calibrated(workload).stage_memory(strategy, 0).logits_per_sample.si();
  };
  const double fused = logits(LossKernel::fused, 1);
  CHECK(logits(LossKernel::plain, 1) > 1.5 * fused);
  CHECK(logits(LossKernel::in_place, 1) < 0.75 * fused);
  CHECK(logits(LossKernel::fused, 8) == near(fused / 8));
}

TEST_CASE("activations in host memory are not on the GPU") {
  Workload workload = recomputing(llama_3_1_8b());
  const auto kept = [&](std::int64_t layers) {
    workload.software.offloaded_layers = layers;
    return Calibrated(workload).stage_memory(selective({}), 0).activations_per_sample.si();
  };
  const double all = kept(0);
  CHECK(kept(8) == near(0.75 * all));
  CHECK(kept(40) == 0);
}

TEST_CASE("ZeRO 1 within fewer GPUs, growth among domains, and reductions of ZeRO 2") {
  Workload workload = recomputing(llama_3_1_8b(), SoftwareClass::flash);
  workload.gpus = 512;
  const Strategy strategy{.tp = {1, 1}, .dp = {8, 64}, .recompute = Recompute::full, .zero = 1};
  const auto sync = [&](const Strategy& of) { return Calibrated(workload).synchronisation(of); };
  const auto all = sync(strategy);
  CHECK(all.growth.si() ==
        near(workload.timing.constants()[Constant::dp_growth] * 6 * all.gradients.si()));
  const auto optimizer = [&](std::int64_t gpus) {
    workload.software.zero1_shard_gpus = gpus;
    return Calibrated(workload).stage_memory(strategy, 0).optimizer.si();
  };
  const double everywhere = optimizer(0);
  CHECK(optimizer(8) == near(64 * everywhere));
  CHECK(optimizer(1024) == everywhere);
  Strategy zero2 = strategy;
  zero2.zero = 2;
  CHECK(sync(zero2).per_micro > Seconds{});
  zero2.pp = {1, 4};
  zero2.dp = {8, 16};
  CHECK(sync(zero2).per_micro == Seconds{});
}

TEST_CASE("overlap that is asked for hides the reduction, not the gather") {
  Workload workload = recomputing(llama_3_1_8b(), SoftwareClass::flash);
  const Strategy strategy{.tp = {1, 1}, .dp = {8, 8}, .recompute = Recompute::full, .zero = 1};
  const auto time = [&](std::optional<bool> overlap) {
    workload.software.dp_overlap = overlap;
    return make_plan(workload, strategy).time.sync;
  };
  CHECK(time(std::nullopt) == time(false));
  CHECK(time(true) < time(false));
  CHECK(Calibrated(workload).synchronisation(strategy).gathers > Seconds{});
  workload.software = software_of(SoftwareClass::te);
  CHECK(time(std::nullopt) == time(true));
  CHECK(time(true) < time(false));
}
