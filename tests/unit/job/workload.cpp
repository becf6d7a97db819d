// The one door to a workload: what it takes from the model and the GPU, refuses and remarks on.
#include "planner/job/workload.hpp"

#include <doctest/doctest.h>

#include "planner/core/diagnostic.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "support/gpt.hpp"
#include "support/models.hpp"

using namespace planner;
using namespace planner::job;
using namespace planner::testing;

namespace {

using Texts = std::vector<std::string>;

/// Of the closed form.
WorkloadParts gpt_on_a100() {
  return {.model = gpt_22b(),
          .system = a100_cluster(),
          .gpus = 64,
          .run = {.global_batch = 64, .sequence = 2048}};
}

/// Constants beside which dense runs on Hopper were measured.
Calibration measured_on_hopper() {
  Calibration constants = prior_calibration();
  for (const SoftwareClass stack : {SoftwareClass::mcore, SoftwareClass::te}) {
    constants.measured.push_back(
        {.generation = Generation::hopper, .stack = stack, .rows = 9, .sources = {"one"}});
  }
  return constants;
}

WorkloadParts calibrated_on(Generation generation) {
  WorkloadParts parts = gpt_on_a100();
  parts.system.accelerator.title = "Some GPU";
  parts.system.accelerator.generation = generation;
  parts.timing = measured_on_hopper();
  return parts;
}

Texts warned(WorkloadParts parts) {
  Texts warnings;
  workload_of(std::move(parts), warnings);
  return warnings;
}

/// "code: message" of what is refused; empty: nothing.
std::string refusal(WorkloadParts parts) {
  Texts warnings;
  try {
    workload_of(std::move(parts), warnings);
  } catch (const InputError& error) {
    return error.diagnostics().front().code + ": " + error.diagnostics().front().message;
  }
  return "";
}

bool has(const Texts& texts, std::string_view words) {
  for (const std::string& text : texts) {
    if (text.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a run is the model's reference, but for what somebody says") {
  WorkloadParts parts = gpt_on_a100();
  parts.model.reference_run = ReferenceRun{.global_batch = 512, .sequence = 4096};
  parts.run = {.global_batch = 128, .tokens = 1e9};
  Texts warnings;
  const Workload workload = workload_of(parts, warnings);
  CHECK(workload.run == TrainingRun{.global_batch = 128, .sequence = 4096, .tokens = 1e9});
  parts.model.reference_run.reset();
  parts.model.name = "own";
  CHECK(refusal(parts) == "usage: own has no reference run: give --global-batch and --seq");
}

TEST_CASE("software is that of the GPU's generation, but for what somebody says") {
  Texts warnings;
  CHECK(workload_of(calibrated_on(Generation::hopper), warnings).software ==
        default_software(Generation::hopper));
  CHECK(workload_of(calibrated_on(Generation::volta), warnings).software ==
        default_software(Generation::volta));
  WorkloadParts parts = calibrated_on(Generation::hopper);
  parts.software = {.stack = SoftwareClass::torch,
                    .attention = AttentionKernel::flash2,
                    .tp_overlap = true,
                    .micro_batches_per_flush = 4};
  const Software software = workload_of(parts, warnings).software;
  CHECK(software.stack == SoftwareClass::torch);
  CHECK(software.attention == AttentionKernel::flash2);
  CHECK(software.tp_overlap);
  CHECK(software.micro_batches_per_flush == 4);
}

TEST_CASE("choices that the software or the model does not have are refused") {
  WorkloadParts parts = calibrated_on(Generation::ampere);
  parts.software = {.stack = SoftwareClass::mcore, .tp_overlap = true};
  CHECK(refusal(parts) == "usage: --tp-overlap: mcore waits for tensor parallelism");
  parts.software = {.expert_overlap = true};
  CHECK(refusal(parts) == "usage: --expert-overlap: GPT has no experts");
  parts.software = {.expert_domain_limit = 4};
  CHECK(refusal(parts) == "usage: --expert-domain-limit: GPT has no experts");
  parts.software = {.dispatch_bytes = 1};
  CHECK(refusal(parts) == "usage: --dispatch-bytes: GPT has no experts");
}

TEST_CASE("what a timing model does not cover is refused, by its code") {
  WorkloadParts experts = gpt_on_a100();
  experts.model = mixtral_8x7b();
  experts.model.title = "Mixtral";
  CHECK(refusal(experts).starts_with("unsupported-model: Mixtral is a mixture of experts"));
  WorkloadParts wide = gpt_on_a100();
  wide.system.accelerator.datasheet.fp32 = 19.5 * units::TFLOPs;
  wide.run.precision = Precision::fp32;
  CHECK(refusal(wide).starts_with("usage: --precision fp32 is not in the closed-form"));
  wide.timing = prior_calibration();
  CHECK(refusal(wide) ==
        "usage: --precision fp32: the calibrated model knows runs in 16, 8 and 4 bits");
  WorkloadParts unknown = gpt_on_a100();
  unknown.system.accelerator.title = "A100";
  unknown.run.precision = Precision::fp8;
  CHECK(refusal(unknown) ==
        "unknown-peak: the catalog has no dense peak rate of A100 at --precision fp8");
  WorkloadParts none = gpt_on_a100();
  none.gpus = 0;
  CHECK(refusal(none) == "bad-value: gpus must be at least 1");
  none = gpt_on_a100();
  none.run.sequence = -1;
  CHECK(refusal(none) == "bad-value: sequence must be at least 1");
}

TEST_CASE("what the closed form leaves out is said, and always that it is fitted to no run") {
  REQUIRE(warned(gpt_on_a100()).size() == 1);
  CHECK(has(warned(gpt_on_a100()), "fitted to no measured run"));
  WorkloadParts llama = gpt_on_a100();
  llama.model = llama_3_1_8b();
  llama.model.title = "Llama";
  // Norms 4, inputs 2 + 2, masks 2; queries 2 + 2, keys and values 4·(1/4) = 1; MLP 6·3.5.
  CHECK(warned(llama).size() == 2);
  CHECK(has(warned(llama), "Llama keeps about 36"));
  WorkloadParts narrow = gpt_on_a100();
  narrow.system.accelerator.datasheet.fp8 = 1979 * units::TFLOPs;
  narrow.run.precision = Precision::fp8;
  CHECK(has(warned(narrow), "an fp8 time is a lower bound"));
  WorkloadParts window = gpt_on_a100();
  window.model.sliding_window = 1024;
  window.model.sliding_window_layers = 24;
  CHECK(has(warned(window), "GPT uses a window of 1024 tokens in 24 layers"));
  window.run.sequence = 1024;
  CHECK(warned(window).size() == 1);
  WorkloadParts mesh = gpt_on_a100();
  mesh.system.title = "a mesh";
  mesh.system.hb_bandwidth = 448 * units::GBps;
  mesh.system.torus = DomainTorus{.shape = {8}, .ring_from = 0};
  CHECK(has(warned(mesh),
            "all 896 GB/s of one, both directions; in the mesh of a mesh two have "
            "128 to each other, 64 a direction"));
  mesh.gpus = 1;
  CHECK(warned(mesh).size() == 1);
  WorkloadParts more = gpt_on_a100();
  more.model.mtp_layers = 1;
  CHECK(has(warned(more), "leaves out GPT's 1 multi-token-prediction layers"));
}

TEST_CASE("a vendor without measured runs is named") {
  CHECK(warned(calibrated_on(Generation::hopper)).empty());
  CHECK(has(warned(calibrated_on(Generation::cdna3)), "the constants of the Hopper generation"));
  CHECK(has(warned(calibrated_on(Generation::cdna4)), "the constants of the Blackwell generation"));
}

TEST_CASE("GPUs of partly used HB domains stay idle") {
  const auto said = [](std::int64_t hb_domain, std::int64_t gpus) {
    Workload workload{.gpus = gpus};
    workload.system.hb_domain = hb_domain;
    Texts warnings;
    warn_about_idle_gpus(workload, usable_hb_domain(hb_domain, gpus), warnings);
    return warnings;
  };
  CHECK(said(72, 1024) ==
        Texts{"1024 GPUs do not fill HB domains of 72: 64 of each are used, 128 GPUs in 16 domains "
              "stay idle; 1008 GPUs fill 14"});
  CHECK(said(72, 1008).empty());
  CHECK(said(72, 64).empty());
}

TEST_CASE("plans beyond what was measured say so, those of the closed form never") {
  WorkloadParts parts = calibrated_on(Generation::hopper);
  Calibration constants = measured_on_hopper();
  constants.residuals = {{.low = -0.1,
                          .high = 0.1,
                          .rows = 9,
                          .sources = 4,
                          .most_gpus = 64,
                          .longest_sequence = 2048}};
  parts.timing = constants;
  Texts warnings;
  Workload workload = workload_of(parts, warnings);
  Plan plan;
  plan.evidence = evidence_of(workload);
  plan.strategy.tp = {.hb = 8};
  plan.microbatches = 1;
  plan.memory.weights = 40 * units::GB;
  plan.capacity = 80 * units::GB;
  const auto said = [&] {
    warnings.clear();
    warn_about_measured_range(workload, plan, warnings);
    return warnings;
  };
  // The errors are those of any generation.
  CHECK(said().size() == 1);
  CHECK(has(said(), "too few measured runs of dense models are on the generation of Some GPU"));
  workload.gpus = 128;
  CHECK(has(said(), "128 GPUs: the largest measured run of dense models has 64"));
  workload.gpus = 64;
  workload.run.sequence = 4096;
  CHECK(has(said(), "sequences of 4096 tokens: the longest measured ones of dense models have"));
  workload.run.sequence = 2048;
  plan.memory.weights = 75 * units::GB;
  CHECK(has(said(), "75.0 of 80.0 GB"));
  plan.memory.weights = 40 * units::GB;
  plan.strategy.tp = {.hb = 8, .net = 2};
  plan.strategy.pp = {.net = 4};
  plan.strategy.zero = 2;
  CHECK(has(said(),
            "hardly a measured run has tensor parallelism beyond an HB domain, tensor "
            "parallelism of more than 8 ranks, ZeRO 2 with a pipeline:"));
  workload.timing = TimingModel{};
  CHECK(said().empty());
}
