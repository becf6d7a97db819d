#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "planner/api/commands.hpp"
#include "planner/api/job_sharing.hpp"
#include "planner/api/options.hpp"
#include "planner/api/plan_routing.hpp"
#include "planner/core/ceil_div.hpp"
#include "planner/domain/names.hpp"

namespace planner {

namespace {

/// The closed form times dense transformers.
void check_closed_form(const Workload& workload) {
  if (!workload.model.moe) return;
  throw InputError(Diagnostic{
      .code = "unsupported-model",
      .message = fmt::format("{} is a mixture of experts, which the closed-form timing model does "
                             "not cover",
                             workload.model.title),
      .hint = "--timing calibrated does"});
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

TrainingRun resolve_run(const Request& request, const TransformerSpec& model) {
  const std::optional<ReferenceRun>& reference = model.reference_run;
  if (!reference && !(request.global_batch && request.sequence)) {
    usage_error(fmt::format("{} has no reference run: give --global-batch and --seq", model.name));
  }
  TrainingRun run;
  run.global_batch = request.global_batch ? *request.global_batch : reference->global_batch;
  run.sequence = request.sequence ? *request.sequence : reference->sequence;
  run.precision = request.precision.value_or(run.precision);
  run.bytes_per_parameter = request.bytes_per_parameter.value_or(run.bytes_per_parameter);
  run.tokens = request.tokens;
  return run;
}

std::vector<std::string> assumed_options(const Request& request) {
  std::vector<std::string> assumed;
  if (!request.system) assumed.emplace_back("system");
  if (!request.global_batch) assumed.emplace_back("global-batch");
  if (!request.sequence) assumed.emplace_back("seq");
  if (!request.precision) assumed.emplace_back("precision");
  if (!request.timing) assumed.emplace_back("timing");
  if (request.timing == Timing::closed_form) {
    if (!request.bytes_per_parameter) assumed.emplace_back("bytes-per-param");
  } else {
    if (!request.software) assumed.emplace_back("software");
  }
  return assumed;
}

/// Options of one model that the other does not know.
void check_options_of_closed_form(const Request& request) {
  const auto refuse = [](bool given, std::string_view option) {
    if (given) {
      usage_error(fmt::format("--{} is not in the closed-form timing model", option),
                  "--timing calibrated has it");
    }
  };
  const auto is_open = [](const std::vector<std::int64_t>& values) {
    return !values.empty() && values != std::vector<std::int64_t>{1};
  };
  refuse(is_open(request.cp), "cp");
  refuse(is_open(request.ep), "ep");
  refuse(is_open(request.expert_tp), "expert-tp");
  refuse(is_open(request.cp_hb), "cp-hb");
  refuse(is_open(request.ep_hb), "ep-hb");
  refuse(!request.zero.empty() && request.zero.back() == 3, "zero 3");
  refuse(!request.shard_ranks.empty(), "shard-ranks");
  refuse(request.software.has_value(), "software");
  refuse(request.attention.has_value(), "attention");
  refuse(request.tp_overlap, "tp-overlap");
  refuse(request.micro_batches_per_flush.has_value(), "micro-batches-per-flush");
  refuse(request.expert_overlap, "expert-overlap");
  refuse(request.expert_domain_limit.has_value(), "expert-domain-limit");
  refuse(request.dispatch_bytes.has_value(), "dispatch-bytes");
  refuse(request.communication_sm_share.has_value(), "communication-sm-share");
  refuse(request.calibration.has_value(), "calibration");
  refuse(request.schedule && *request.schedule != Schedule::one_f_one_b &&
             *request.schedule != Schedule::interleaved,
         fmt::format("schedule {}", request.schedule ? name_of(*request.schedule) : ""));
}

void check_shard_ranks(const Request& request) {
  const bool other = !request.zero.empty() && request.zero != std::vector<std::int64_t>{3};
  if (!request.shard_ranks.empty() && other) {
    usage_error("--shard-ranks: only ZeRO 3 shards weights", "leave --zero out, or give --zero 3");
  }
}

/// The software that the user names, or the one most likely on this generation.
Software resolve_software(const Request& request, const Workload& workload) {
  const Generation generation = workload.system.accelerator.generation;
  Software software =
      request.software ? software_of(*request.software) : default_software(generation);
  if (request.attention) software.attention = *request.attention;
  if (request.tp_overlap && software.stack != SoftwareClass::te &&
      software.stack != SoftwareClass::torch) {
    usage_error(
        fmt::format("--tp-overlap: {} waits for tensor parallelism", name_of(software.stack)),
        "--software torch and te overlap it");
  }
  software.tp_overlap = software.tp_overlap || request.tp_overlap;
  software.micro_batches_per_flush = request.micro_batches_per_flush.value_or(0);
  const auto of_experts = [&](bool given, std::string_view option) {
    if (!given || workload.model.moe) return;
    usage_error(fmt::format("--{}: {} has no experts", option, workload.model.title));
  };
  of_experts(request.expert_overlap, "expert-overlap");
  of_experts(request.expert_domain_limit.has_value(), "expert-domain-limit");
  of_experts(request.dispatch_bytes.has_value(), "dispatch-bytes");
  software.expert_overlap = request.expert_overlap;
  software.expert_domain_limit = request.expert_domain_limit.value_or(0);
  software.dispatch_bytes =
      static_cast<int>(request.dispatch_bytes.value_or(software.dispatch_bytes));
  software.communication_sm_share = request.communication_sm_share.value_or(0);
  return software;
}

/// What the calibrated model was not fitted to.
void warn_about_calibration(const Workload& workload, std::vector<std::string>& warnings) {
  const Accelerator& part = workload.system.accelerator;
  if (part.generation == Generation::cdna3 || part.generation == Generation::cdna4) {
    warnings.push_back(fmt::format(
        "{}: no measured run of this vendor is in the calibration; its times use the constants of "
        "the {} generation and may be far off",
        part.title, part.generation == Generation::cdna3 ? "Hopper" : "Blackwell"));
  }
}

/// Activations, weights and messages of the closed form are 16-bit.
void check_precision(Precision precision, std::vector<std::string>& warnings) {
  if (precision == Precision::fp32 || precision == Precision::tf32) {
    usage_error(fmt::format("--precision {} is not in the closed-form timing model, whose weights, "
                            "activations and messages are 16-bit",
                            name_of(precision)),
                "use bf16 or fp16");
  }
  if (precision == Precision::fp8 || precision == Precision::fp4) {
    warnings.push_back(fmt::format(
        "the closed-form model runs every FLOP at the {0} peak and keeps bytes at 16 bits: an {0} "
        "time is a lower bound",
        name_of(precision)));
  }
}

/// Korthikanti et al. 2022 (arXiv 2205.05198) §4.1, item by item: bytes per hidden unit and token
/// that a layer keeps. 34 for a GPT with a 4h MLP.
double activation_bytes(const TransformerSpec& model) {
  const double h = static_cast<double>(model.hidden);
  const double queries = static_cast<double>(model.heads * model.head_dim) / h;
  const double keys_values = 2 * static_cast<double>(model.kv_heads * model.head_dim) / h;
  const double ffn = static_cast<double>(model.ffn_hidden) / h;
  const double norms = 4, attention_input = 2, mlp_input = 2, dropout_masks = 2;
  return norms + attention_input + 2 * queries + 2 * keys_values + 2 * queries + mlp_input +
         (model.gated_mlp ? 6 : 4) * ffn + dropout_masks;
}

void warn_about_activations(const TransformerSpec& model, std::vector<std::string>& warnings) {
  constexpr double kGpt = 34, kNotable = 1.05;
  const double bytes = activation_bytes(model);
  if (bytes <= kNotable * kGpt) return;
  warnings.push_back(
      fmt::format("the closed-form model counts 34 activation bytes per hidden unit and layer, as "
                  "for a GPT; {} keeps about {:.0f}",
                  model.title, bytes));
}

/// 1F1B is interleaving with one chunk; a zero-bubble schedule takes its place.
void pin_schedule(Schedule schedule, SearchSpace& space) {
  if (schedule == Schedule::interleaved) {
    if (space.interleave == std::vector<std::int64_t>{1}) {
      usage_error("--schedule interleaved contradicts --interleave 1");
    }
    std::erase(space.interleave, 1);
    space.least_interleave = 2;
    return;
  }
  space.interleave = {1};
  space.without_interleaving = schedule;
}

void resolve_closed_form(const Request& request, const Workload& workload,
                         std::vector<std::string>& warnings) {
  check_options_of_closed_form(request);
  check_closed_form(workload);
  check_precision(workload.run.precision, warnings);
  warn_about_activations(workload.model, warnings);
  const TransformerSpec& model = workload.model;
  if (model.sliding_window > 0 && model.sliding_window < workload.run.sequence) {
    warnings.push_back(
        fmt::format("the closed-form model counts full attention in every layer; {} uses a window "
                    "of {} tokens in {} layers",
                    model.title, model.sliding_window, model.sliding_window_layers));
  }
  if (model.mtp_layers > 0) {
    warnings.push_back(
        fmt::format("the closed-form model leaves out {}'s {} multi-token-prediction "
                    "layers",
                    model.title, model.mtp_layers));
  }
}

void resolve_calibrated(const Request& request, const catalog::Catalog& catalog, Workload& workload,
                        std::vector<std::string>& warnings) {
  const Precision precision = workload.run.precision;
  if (precision == Precision::fp32 || precision == Precision::tf32) {
    usage_error(fmt::format("--precision {}: the calibrated model knows runs in 16, 8 and 4 bits",
                            name_of(precision)),
                "use bf16, fp16, fp8 or fp4");
  }
  if (request.bytes_per_parameter) {
    usage_error(
        "--bytes-per-param is not in the calibrated timing model, which counts weights, "
        "gradients and optimizer states by --software and --zero",
        "--timing closed-form has it");
  }
  check_shard_ranks(request);
  workload.software = resolve_software(request, workload);
  workload.timing =
      catalog.load_calibration(request.calibration.value_or(std::string{defaults::kCalibration}));
  warn_about_calibration(workload, warnings);
}

/// The same checkpoints, described twice.
void warn_of_two_checkpoints(const Request& request, const SharingImpact& impact,
                             std::vector<std::string>& warnings) {
  const auto& saved = request.reliability.how.checkpoint;
  const auto& written = request.routing.sharing.interval;
  if (saved && written && *saved != *written) {
    warnings.push_back(fmt::format(
        "--checkpoint {:g} and --storage-interval {:g}: failures and storage are counted with "
        "different checkpoints",
        saved->si(), written->si()));
  }
  const auto& durable = request.reliability.how.durable;
  if (impact.writing_share > 0 && durable && *durable < 0.99 * impact.write_time) {
    const bool ever = std::isfinite(impact.write_time.si());
    warnings.push_back(fmt::format(
        "--durable {:g}: the storage {}", durable->si(),
        ever ? fmt::format("takes {:.3g} s to write a checkpoint", impact.write_time.si())
             : "never has a whole checkpoint"));
  }
}

}  // namespace

void one_gpu_count(const Request& request) {
  if (request.gpu_counts.size() < 2) return;
  usage_error("--gpus takes one number here", "optimize --objective cost chooses from a list");
}

void override_system(const Request& request, System& system) {
  if (request.hb_domain) system.hb_domain = *request.hb_domain;
  if (request.hb_bandwidth_GBps) system.hb_bandwidth = *request.hb_bandwidth_GBps * units::GBps;
  if (request.network_bandwidth_GBps) {
    system.network_bandwidth = *request.network_bandwidth_GBps * units::GBps;
  }
  if (request.memory_GB) set_memory(system.accelerator, *request.memory_GB * units::GB);
}

void warn_about_idle_gpus(const ResolvedInputs& inputs, std::vector<std::string>& warnings) {
  const std::int64_t gpus = inputs.workload.gpus, hb_domain = inputs.workload.system.hb_domain;
  const std::int64_t used = inputs.usable_hb_domain;
  if (used == hb_domain || hb_domain >= gpus) return;
  const std::int64_t groups = hb_domain / used, full = gpus / hb_domain;
  const std::int64_t domains = ceil_div(gpus / used, groups);
  const std::string each =
      groups > 1 ? fmt::format("{} times {}", groups, used) : fmt::to_string(used);
  warnings.push_back(fmt::format(
      "{} GPUs do not fill HB domains of {}: {} of each are used, {} GPUs in {} domains stay idle; "
      "{} GPUs fill {}",
      gpus, hb_domain, each, domains * hb_domain - gpus, domains, full * hb_domain, full));
}

ResolvedInputs resolve(const Request& request, const catalog::Catalog& catalog,
                       std::vector<std::string>& warnings) {
  if (!request.model) usage_error("--model is missing", "planner list models");
  if (!request.gpus) usage_error("--gpus is missing");
  one_gpu_count(request);

  ResolvedInputs inputs;
  catalog::LoadedModel loaded = catalog.load_model(*request.model);
  for (const Diagnostic& warning : loaded.warnings) warnings.push_back(to_string(warning));
  inputs.workload.model = std::move(loaded.spec);
  inputs.workload.system =
      catalog.load_system(request.system.value_or(std::string{defaults::kSystem}));
  override_system(request, inputs.workload.system);
  inputs.workload.run = resolve_run(request, inputs.workload.model);
  inputs.workload.gpus = *request.gpus;
  inputs.objective = request.objective.value_or(inputs.objective);
  inputs.assumed = assumed_options(request);
  inputs.usable_hb_domain =
      usable_hb_domain(inputs.workload.system.hb_domain, inputs.workload.gpus);
  check_peak(inputs.workload);
  if (request.timing == Timing::closed_form) {
    resolve_closed_form(request, inputs.workload, warnings);
  } else {
    resolve_calibrated(request, catalog, inputs.workload, warnings);
  }
  inputs.routing = plan_routing(request, inputs.workload, catalog, inputs.assumed, warnings);
  if (inputs.routing) {
    inputs.workload.routing = inputs.routing->factors;
    inputs.workload.stage_limit = inputs.routing->stage_limit;
  }
  inputs.sharing = job_sharing(with_checkpoints(request.routing.sharing, inputs.workload,
                                                request.reliability.how.checkpoint, inputs.assumed),
                               inputs.workload.system.network_bandwidth, warnings);
  if (inputs.sharing) {
    inputs.workload.storage_traffic = inputs.sharing->traffic;
    warn_of_two_checkpoints(request, *inputs.sharing, warnings);
  }
  return inputs;
}

SearchResult search_all(const Workload& workload, const SearchSpace& space,
                        const SearchOptions& options) {
  SearchResult result = search(workload, space, options);
  if (result.interrupted) throw Interrupted();
  return result;
}

SearchSpace search_space(const Request& request, const Workload& workload) {
  SearchSpace space;
  if (workload.timing.calibrated()) {
    space = all_calibrated_axes(workload.software);
  } else if (request.all_axes) {
    space = all_closed_form_axes();
  }
  space.tp = request.tp;
  space.pp = request.pp;
  space.dp = request.dp;
  space.cp = request.cp;
  space.ep = request.ep;
  space.expert_tp = request.expert_tp;
  space.tp_hb = request.tp_hb;
  space.pp_hb = request.pp_hb;
  space.dp_hb = request.dp_hb;
  space.cp_hb = request.cp_hb;
  space.ep_hb = request.ep_hb;
  space.micro_batch = request.micro_batch;
  space.interleave = request.interleave;
  if (!request.recompute.empty()) space.recompute = request.recompute;
  if (!request.zero.empty()) {
    space.zero.clear();
    for (const std::int64_t stage : request.zero) space.zero.push_back(static_cast<int>(stage));
  }
  if (!request.shard_ranks.empty() && request.zero.empty()) space.zero = {3};
  space.shard_ranks = request.shard_ranks;
  if (request.sequence_parallel) space.sequence_parallel = {*request.sequence_parallel};
  if (request.max_tp) space.max_tp = *request.max_tp;
  if (request.schedule) pin_schedule(*request.schedule, space);
  return space;
}

}  // namespace planner
