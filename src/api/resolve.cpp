#include <fmt/format.h>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/domain/names.hpp"

namespace planner {

namespace {

/// The closed form times dense transformers whose peak rate is known.
void check_closed_form(const Workload& workload) {
  const TransformerSpec& model = workload.model;
  if (model.moe) {
    throw InputError(Diagnostic{
        .code = "unsupported-model",
        .message = fmt::format("{} is a mixture of experts, which the closed-form timing model "
                               "does not cover",
                               model.title),
        .hint = "it needs the calibrated timing model (--timing calibrated), which this version "
                "does not have yet"});
  }
  const Accelerator& accelerator = workload.system.accelerator;
  if (!accelerator.datasheet.at(workload.run.precision)) {
    throw InputError(Diagnostic{
        .code = "unknown-peak",
        .message = fmt::format("the catalog has no dense peak rate of {} at --precision {}",
                               accelerator.title, name_of(workload.run.precision)),
        .hint = "choose another --precision, or give the figure in your own accelerator file "
                "(planner schema accelerator)"});
  }
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
  if (!request.bytes_per_parameter) assumed.emplace_back("bytes-per-param");
  return assumed;
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

}  // namespace

void override_system(const Request& request, System& system) {
  if (request.hb_domain) system.hb_domain = *request.hb_domain;
  if (request.hb_bandwidth_GBps) system.hb_bandwidth = *request.hb_bandwidth_GBps * units::GBps;
  if (request.network_bandwidth_GBps) {
    system.network_bandwidth = *request.network_bandwidth_GBps * units::GBps;
  }
  if (request.memory_GB) system.accelerator.memory = *request.memory_GB * units::GB;
}

void warn_about_idle_gpus(const ResolvedInputs& inputs, std::vector<std::string>& warnings) {
  const Workload& workload = inputs.workload;
  warn_about_idle_gpus(workload.gpus, workload.system.hb_domain, inputs.usable_hb_domain, warnings);
}

void warn_about_idle_gpus(std::int64_t gpus, std::int64_t hb_domain, std::int64_t used,
                          std::vector<std::string>& warnings) {
  if (used == hb_domain || hb_domain >= gpus) return;
  const std::int64_t domains = gpus / used;
  warnings.push_back(fmt::format(
      "{} GPUs do not fill HB domains of {}: {} of each are used, {} GPUs in {} domains stay idle",
      gpus, hb_domain, used, domains * (hb_domain - used), domains));
}

ResolvedInputs resolve(const Request& request, const io::Catalog& catalog,
                       std::vector<std::string>& warnings) {
  if (!request.model) usage_error("--model is missing", "planner list models");
  if (!request.gpus) usage_error("--gpus is missing");

  ResolvedInputs inputs;
  io::LoadedModel loaded = catalog.load_model(*request.model);
  for (const Diagnostic& warning : loaded.warnings) warnings.push_back(to_string(warning));
  inputs.workload.model = std::move(loaded.spec);
  inputs.workload.system =
      catalog.load_system(request.system.value_or(std::string{defaults::kSystem}));
  override_system(request, inputs.workload.system);
  inputs.workload.run = resolve_run(request, inputs.workload.model);
  inputs.workload.gpus = *request.gpus;
  inputs.timing = request.timing.value_or(inputs.timing);
  inputs.objective = request.objective.value_or(inputs.objective);
  inputs.assumed = assumed_options(request);
  inputs.usable_hb_domain =
      usable_hb_domain(inputs.workload.system.hb_domain, inputs.workload.gpus);
  check_closed_form(inputs.workload);
  check_precision(inputs.workload.run.precision, warnings);
  warn_about_activations(inputs.workload.model, warnings);

  const TransformerSpec& model = inputs.workload.model;
  if (model.sliding_window > 0 && model.sliding_window < inputs.workload.run.sequence) {
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
  return inputs;
}

SearchResult search_all(const Workload& workload, const SearchSpace& space,
                        const SearchOptions& options) {
  SearchResult result = search(workload, space, options);
  if (result.interrupted) throw Interrupted();
  return result;
}

SearchSpace search_space(const Request& request) {
  const auto only_one = [](const std::vector<std::int64_t>& values, std::string_view option) {
    if (values.empty() || values == std::vector<std::int64_t>{1}) return;
    usage_error(fmt::format("--{} is not in the closed-form timing model", option),
                "the calibrated timing model will have it");
  };
  only_one(request.cp, "cp");
  only_one(request.ep, "ep");
  only_one(request.expert_tp, "expert-tp");
  if (!request.zero.empty() && request.zero.back() == 3) {
    usage_error("--zero 3 is not in the closed-form timing model",
                "0, 1 and 2 are; the calibrated timing model will have 3");
  }

  SearchSpace space = request.all_axes ? all_closed_form_axes() : SearchSpace{};
  space.tp = request.tp;
  space.pp = request.pp;
  space.dp = request.dp;
  space.tp_hb = request.tp_hb;
  space.pp_hb = request.pp_hb;
  space.dp_hb = request.dp_hb;
  space.micro_batch = request.micro_batch;
  space.interleave = request.interleave;
  if (!request.recompute.empty()) space.recompute = request.recompute;
  if (!request.zero.empty()) {
    space.zero.clear();
    for (const std::int64_t stage : request.zero) space.zero.push_back(static_cast<int>(stage));
  }
  if (request.sequence_parallel) space.sequence_parallel = {*request.sequence_parallel};
  if (request.max_tp) space.max_tp = *request.max_tp;
  return space;
}

}  // namespace planner
