#include "planner/job/workload.hpp"

#include <fmt/format.h>

#include <utility>

#include "planner/core/usage.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/evidence.hpp"
#include "planner/job/used_gpus.hpp"
#include "planner/perf/calibrated/certainty.hpp"
#include "planner/perf/calibrated/gradient_sync.hpp"
#include "planner/perf/closed_form/kept_activations.hpp"
#include "planner/perf/machine/host_tier.hpp"
#include "planner/perf/machine/torus.hpp"

namespace planner::job {

namespace {

TrainingRun run_of(const RunChoice& choice, const TransformerSpec& model) {
  const std::optional<ReferenceRun>& reference = model.reference_run;
  if (!reference && !(choice.global_batch && choice.sequence)) {
    usage_error(fmt::format("{} has no reference run: give --global-batch and --seq", model.name));
  }
  TrainingRun run;
  run.global_batch = choice.global_batch ? *choice.global_batch : reference->global_batch;
  run.sequence = choice.sequence ? *choice.sequence : reference->sequence;
  run.precision = choice.precision.value_or(run.precision);
  run.bytes_per_parameter = choice.bytes_per_parameter.value_or(run.bytes_per_parameter);
  run.tokens = choice.tokens;
  return run;
}

/// What only nodes have whose GPUs no switch joins.
void check_host(const SoftwareChoice& choice, const Workload& workload) {
  const System& system = workload.system;
  const std::int64_t domain = usable_hb_domain(system.hb_domain, workload.gpus);
  if (choice.gradient_sync == GradientSync::hfreduce && !reducing_node(system, domain)) {
    usage_error(
        fmt::format("--gradient-sync hfreduce: the catalog has no node of {} whose CPUs can sum",
                    system.title),
        "it takes a node of known host memory and PCIe that is larger than an HB domain: planner "
        "hfreduce --help");
  }
  if (choice.pipeline_sends && !host_tier(system, domain)) {
    usage_error(fmt::format("--pipeline-sends: no GPUs of {} share a NIC", system.title));
  }
}

/// What neither this software nor this model has.
/// @param software  the stack, with the attention that is asked for and nothing else
void check_software(const SoftwareChoice& choice, const Software& software,
                    const Workload& workload) {
  if (choice.tp_overlap && !software.tp_overlap && software.stack != SoftwareClass::torch) {
    usage_error(
        fmt::format("--tp-overlap: {} waits for tensor parallelism", name_of(software.stack)),
        "--software torch, te and jax overlap it");
  }
  const auto of_experts = [&](bool given, std::string_view option) {
    if (!given || workload.model.moe) return;
    usage_error(fmt::format("--{}: {} has no experts", option, workload.model.title));
  };
  of_experts(choice.expert_overlap, "expert-overlap");
  of_experts(choice.expert_domain_limit.has_value(), "expert-domain-limit");
  of_experts(choice.dispatch_bytes.has_value(), "dispatch-bytes");
  of_experts(choice.dispatcher.has_value(), "dispatcher");
  of_experts(choice.dropless, "dropless");
  if (choice.fp8_attention && software.attention != AttentionKernel::cudnn) {
    usage_error(
        fmt::format("--fp8-attention: {} attention has 16 bits", name_of(software.attention)),
        "--attention cudnn can have 8");
  }
  if (choice.offloaded_optimizer && software.stack != SoftwareClass::mcore &&
      software.stack != SoftwareClass::te) {
    usage_error(fmt::format("--offloaded-optimizer: {} cannot fetch optimizer states for a step",
                            name_of(software.stack)),
                "--software mcore and te can");
  }
}

/// The software that is named, or the one most likely on this generation.
Software software_of(const SoftwareChoice& choice, const Workload& workload) {
  Software software = choice.stack ? planner::software_of(*choice.stack)
                                   : default_software(workload.system.accelerator.generation);
  if (choice.attention) software.attention = *choice.attention;
  check_software(choice, software, workload);
  check_host(choice, workload);
  software.tp_overlap = software.tp_overlap || choice.tp_overlap;
  software.micro_batches_per_flush = choice.micro_batches_per_flush.value_or(0);
  software.fp8_attention = choice.fp8_attention;
  software.dropless = choice.dropless;
  software.dp_overlap = choice.dp_overlap;
  software.dispatcher = choice.dispatcher.value_or(software.dispatcher);
  software.loss = choice.loss.value_or(software.loss);
  software.loss_chunks = choice.loss_chunks.value_or(software.loss_chunks);
  software.gradient_reduce_bytes =
      static_cast<int>(choice.gradient_bytes.value_or(software.gradient_reduce_bytes));
  software.moment_bytes = static_cast<int>(choice.moment_bytes.value_or(software.moment_bytes));
  software.zero1_shard_gpus = choice.zero1_shard_gpus.value_or(software.zero1_shard_gpus);
  software.offloaded_layers = choice.offloaded_layers.value_or(software.offloaded_layers);
  software.offloaded_optimizer = choice.offloaded_optimizer;
  software.free_stage_inputs = choice.free_stage_inputs;
  software.expert_overlap = choice.expert_overlap;
  software.expert_domain_limit = choice.expert_domain_limit.value_or(0);
  software.dispatch_bytes =
      static_cast<int>(choice.dispatch_bytes.value_or(software.dispatch_bytes));
  software.communication_sm_share = choice.communication_sm_share.value_or(0);
  software.gradient_sync = choice.gradient_sync.value_or(software.gradient_sync);
  software.pipeline_sends = choice.pipeline_sends.value_or(software.pipeline_sends);
  return software;
}

void check_counts(const Workload& workload) {
  const auto positive = [](std::int64_t value, const char* name) {
    if (value >= 1) return;
    throw InputError(
        Diagnostic{.code = "bad-value", .message = std::string{name} + " must be at least 1"});
  };
  positive(workload.gpus, "gpus");
  positive(workload.run.global_batch, "global_batch");
  positive(workload.run.sequence, "sequence");
  positive(workload.system.hb_domain, "hb_domain");
}

void check_peak(const Workload& workload) {
  const Accelerator& accelerator = workload.system.accelerator;
  if (accelerator.datasheet.at(workload.run.precision)) return;
  throw InputError(Diagnostic{
      .code = "unknown-peak",
      .message = fmt::format("the catalog has no dense peak rate of {} at --precision {}",
                             accelerator.title, name_of(workload.run.precision)),
      .hint = "choose another --precision, or give the figure in your own accelerator file "
              "(planner schema accelerator)"});
}

/// The closed form times dense transformers, whose activations, weights and messages are 16-bit.
void check_closed_form(const Workload& workload) {
  if (workload.model.moe) {
    throw InputError(Diagnostic{
        .code = "unsupported-model",
        .message = fmt::format("{} is a mixture of experts, which the closed-form timing model "
                               "does not cover",
                               workload.model.title),
        .hint = "--timing calibrated does"});
  }
  const Precision precision = workload.run.precision;
  if (precision == Precision::fp32 || precision == Precision::tf32) {
    usage_error(fmt::format("--precision {} is not in the closed-form timing model, whose weights, "
                            "activations and messages are 16-bit",
                            name_of(precision)),
                "use bf16 or fp16");
  }
}

void check_calibrated(const Workload& workload) {
  const Precision precision = workload.run.precision;
  if (precision == Precision::fp32 || precision == Precision::tf32) {
    usage_error(fmt::format("--precision {}: the calibrated model knows runs in 16, 8 and 4 bits",
                            name_of(precision)),
                "use bf16, fp16, fp8 or fp4");
  }
}

/// What the closed form does not know of a workload.
void warn_about_closed_form(const Workload& workload, std::vector<std::string>& warnings) {
  const TransformerSpec& model = workload.model;
  const Precision precision = workload.run.precision;
  if (precision == Precision::fp8 || precision == Precision::fp4) {
    warnings.push_back(fmt::format(
        "the closed-form model runs every FLOP at the {0} peak and keeps bytes at 16 bits: an {0} "
        "time is a lower bound",
        name_of(precision)));
  }
  constexpr double kNotable = 1.05;
  if (const double bytes = kept_activation_bytes(model); bytes > kNotable * kGptActivationBytes) {
    warnings.push_back(fmt::format(
        "the closed-form model counts 34 activation bytes per hidden unit and layer, as "
        "for a GPT; {} keeps about {:.0f}",
        model.title, bytes));
  }
  warnings.emplace_back(
      "the closed-form model is fitted to no measured run, of any system: its "
      "times are bounds more than forecasts (--timing calibrated has intervals)");
  if (model.sliding_window > 0 && model.sliding_window < workload.run.sequence) {
    warnings.push_back(
        fmt::format("the closed-form model counts full attention in every layer; {} uses a window "
                    "of {} tokens in {} layers",
                    model.title, model.sliding_window, model.sliding_window_layers));
  }
  const System& system = workload.system;
  const std::int64_t domain = usable_hb_domain(system.hb_domain, workload.gpus);
  if (system.torus && domain > 1) {
    const BytesPerSecond link =
        DomainLinks(system, domain).share({.kind = FlowKind::line, .ranks = 2}) *
        system.hb_bandwidth;
    warnings.push_back(fmt::format(
        "the closed-form model gives any GPUs of an HB domain all {:.4g} GB/s of one, both "
        "directions; in the {} of {} two have {:.4g} to each other, {:.4g} a direction (--timing "
        "calibrated counts links)",
        2 * system.hb_bandwidth.in(units::GBps), all_joined(*system.torus) ? "mesh" : "torus",
        system.title, 2 * link.in(units::GBps), link.in(units::GBps)));
  }
  if (host_tier(system, domain)) {
    warnings.push_back(fmt::format(
        "the closed-form model has two tiers: what leaves an HB domain of {} is charged to the "
        "network, at a GPU's share of the NICs of its node",
        system.hb_domain));
  }
  if (model.mtp_layers > 0) {
    warnings.push_back(
        fmt::format("the closed-form model leaves out {}'s {} multi-token-prediction layers",
                    model.title, model.mtp_layers));
  }
}

/// What the calibrated model was not fitted to.
void warn_about_calibration(const Workload& workload, std::vector<std::string>& warnings) {
  const Evidence evidence = *evidence_of(workload);
  if (evidence.measured()) return;
  warnings.push_back(unmeasured_words(evidence));
}

}  // namespace

void check(const Workload& workload) {
  check_counts(workload);
  check_peak(workload);
  if (workload.timing.calibrated()) {
    check_calibrated(workload);
  } else {
    check_closed_form(workload);
  }
}

Workload workload_of(WorkloadParts parts, std::vector<std::string>& warnings) {
  const TrainingRun run = run_of(parts.run, parts.model);
  Workload workload{.model = std::move(parts.model),
                    .system = std::move(parts.system),
                    .run = run,
                    .gpus = parts.gpus,
                    .timing = std::move(parts.timing)};
  check(workload);
  if (workload.timing.calibrated()) {
    workload.software = software_of(parts.software, workload);
    warn_about_calibration(workload, warnings);
  } else {
    warn_about_closed_form(workload, warnings);
  }
  return workload;
}

void warn_about_idle_gpus(const Workload& workload, std::int64_t as_one,
                          std::vector<std::string>& warnings) {
  const std::int64_t gpus = workload.gpus, hb_domain = workload.system.hb_domain;
  if (hb_domain >= gpus) return;
  const GpuUse use = use_of(gpus, hb_domain, as_one);
  const std::int64_t idle = use.domains * hb_domain - gpus;
  if (idle == 0) return;
  const std::int64_t groups = hb_domain / as_one, full = gpus / hb_domain;
  const std::string each =
      groups > 1 ? fmt::format("{} times {}", groups, as_one) : fmt::to_string(as_one);
  warnings.push_back(fmt::format(
      "{} GPUs do not fill HB domains of {}: {} of each are used, {} GPUs in {} domains stay idle; "
      "{} GPUs fill {}",
      gpus, hb_domain, each, idle, use.domains, full * hb_domain, full));
}

}  // namespace planner::job
