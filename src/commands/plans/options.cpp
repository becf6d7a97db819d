#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/options/fabric.hpp"
#include "planner/commands/options/fit.hpp"
#include "planner/commands/plans/option_kinds.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/core/usage.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

using R = PlanRequest;
using Run = job::RunChoice;
using Soft = job::SoftwareChoice;
using Way = job::StrategyChoice;

constexpr double kMostTokens = 1e18, kMostSmShare = 0.9, kMostBytes = 1e6, kMostSure = 0.999;

template <class Part>
OptionOf<R> of(Part R::*part, OptionOf<Part> option) {
  return std::move(in(part, std::vector{std::move(option)}).front());
}

std::vector<OptionOf<R>> run_options() {
  return {of(&R::run, integer({.name = "global-batch",
                               .value = "N",
                               .help = "sequences per iteration (default: reference run)",
                               .group = kWhat,
                               .assumed = true},
                              &Run::global_batch, 1, kMostSequences)),
          of(&R::run, integer({.name = "seq",
                               .value = "N",
                               .help = "tokens per sequence (default: reference run)",
                               .group = kWhat,
                               .assumed = true},
                              &Run::sequence, 1, kMostSequences)),
          of(&R::run, choice({.name = "precision",
                              .value = "NAME",
                              .help = "of the matrix products",
                              .group = kWhat,
                              .fallback = "bf16",
                              .assumed = true},
                             &Run::precision, kPrecisions)),
          of(&R::run,
             positive({"tokens", "N", "tokens to train, e.g. 15T: adds days, GPU-hours", kWhat},
                      &Run::tokens, kMostTokens)),
          choice({.name = "timing",
                  .value = "MODEL",
                  .group = kWhat,
                  .fallback = "calibrated",
                  .assumed = true},
                 &R::timing, kTimings)};
}

/// Bytes that gradients or moments have.
OptionOf<Soft> width(OptionInfo info, std::optional<std::int64_t> Soft::*at) {
  info.choices = {"2", "4"};
  const std::vector<std::string> names = info.choices;
  return of_member<Soft>(
      std::move(info), at,
      [at, names](std::string_view text, Soft& soft) -> std::optional<std::string> {
        if (text != "2" && text != "4") return not_among(names, text);
        soft.*at = text == "2" ? 2 : 4;
        return std::nullopt;
      });
}

std::vector<OptionOf<R>> software_options() {
  OptionOf<Soft> stack = choice({.name = "software",
                                 .value = "CLASS",
                                 .help = "{} (default: by GPU)",
                                 .group = kWhat,
                                 .assumed = true,
                                 .timing = Timing::calibrated},
                                &Soft::stack, kSoftwareClasses);
  std::vector<OptionOf<R>> all = in(
      &R::software,
      std::vector<OptionOf<Soft>>{
          std::move(stack),
          choice(calibrated({.name = "attention", .value = "KERNEL", .group = kWhat}),
                 &Soft::attention, kAttentionKernels),
          turn_on(
              calibrated({"tp-overlap", "",
                          "torch's asynchronous tensor parallelism (te overlaps anyway)", kWhat}),
              &Soft::tp_overlap),
          either(calibrated({"dp-overlap", "", "the gradient reduction overlaps the backward pass",
                             kWhat}),
                 &Soft::dp_overlap, true),
          either(calibrated({"no-dp-overlap", "", "it does not", kWhat}), &Soft::dp_overlap, false),
          width(calibrated({"gradient-bytes", "N", "of a reduced gradient: {} (default: by class)",
                            kWhat}),
                &Soft::gradient_bytes),
          width(calibrated({"moment-bytes", "N", "of each of Adam's moments: {} (4)", kWhat}),
                &Soft::moment_bytes),
          integer(calibrated({"zero1-shard-gpus", "N",
                              "neighbours that ZeRO 1 shards optimizer states over (all)", kWhat}),
                  &Soft::zero1_shard_gpus, 1, kMostGpus),
          turn_on(calibrated({"fp8-attention", "", "fused attention in 8 bits", kWhat}),
                  &Soft::fp8_attention),
          choice(calibrated({"loss", "KERNEL", "{} (default: by class)", kWhat}), &Soft::loss,
                 kLossKernels),
          integer(calibrated({"loss-chunks", "N", "that the loss layer takes in turn (1)", kWhat}),
                  &Soft::loss_chunks, 1, 4096),
          integer(calibrated({"offloaded-layers", "N",
                              "of a stage, whose activations lie in host memory (0)", kWhat}),
                  &Soft::offloaded_layers, 0, 1'000'000),
          turn_on(calibrated({"free-stage-inputs", "",
                              "of a pipeline's chunk, once its first norm has read it", kWhat}),
                  &Soft::free_stage_inputs),
          turn_on(calibrated({"offloaded-optimizer", "",
                              "ZeRO 1's states lie in host memory but for its step", kWhat}),
                  &Soft::offloaded_optimizer),
          choice(calibrated(
                     {"dispatcher", "NAME", "of tokens to experts: {} (default: by class)", kWhat}),
                 &Soft::dispatcher, kDispatchers),
          turn_on(
              calibrated({"dropless", "", "routing is as it comes, not balanced: slower", kWhat}),
              &Soft::dropless),
          integer(calibrated({"micro-batches-per-flush", "N",
                              "after which pipelines drain (default: all)", kWhat}),
                  &Soft::micro_batches_per_flush, 1, kMostSequences),
          turn_on(calibrated({"expert-overlap", "",
                              "all-to-alls overlap another micro-batch (DualPipe)", kWhat}),
                  &Soft::expert_overlap),
          integer(calibrated({"expert-domain-limit", "N",
                              "HB domains that one token's experts lie in", kWhat}),
                  &Soft::expert_domain_limit, 1, kMostGpus),
          integer(calibrated({"dispatch-bytes", "N",
                              "per element sent to the experts: 1 for fp8 (2)", kWhat}),
                  &Soft::dispatch_bytes, 1, 4),
          non_negative(calibrated({"communication-sm-share", "X",
                                   "of the SMs, taken by communication (0)", kWhat}),
                       &Soft::communication_sm_share, kMostSmShare),
          choice(calibrated({.name = "gradient-sync",
                             .value = "HOW",
                             .help = "{} (PCIe nodes)",
                             .group = kWhat,
                             .fallback = "auto"}),
                 &Soft::gradient_sync, kGradientSyncs),
          choice(calibrated({.name = "pipeline-sends",
                             .value = "HOW",
                             .help = "{}, on shared NICs",
                             .group = kWhat,
                             .fallback = "staggered"}),
                 &Soft::pipeline_sends, kPipelineSends)});
  all.push_back(
      text(calibrated({"calibration", "NAME|FILE", "constants of the calibrated model", kWhat}),
           &R::calibration));
  return all;
}

OptionOf<R> bytes_per_parameter() {
  return of(&R::run,
            positive({.name = "bytes-per-param",
                      .value = "N",
                      .help = "weights, gradients and optimizer",
                      .group = kStrategy,
                      .fallback = "18",
                      .assumed = true,
                      .timing = Timing::closed_form,
                      .instead = ", which counts weights, gradients and optimizer states by "
                                 "--software and --zero"},
                     &Run::bytes_per_parameter, kMostBytes));
}

std::vector<OptionOf<R>> answer_options(PlanUse use) {
  std::vector<OptionOf<R>> all;
  if (use == PlanUse::traffic) return all;
  const bool search = use == PlanUse::search;
  if (search) {
    all.push_back(
        integer({"max-gpus", "N", "in place of --gpus: the best number up to so many", kWhat},
                &R::max_gpus, 1, kMostMaxGpus));
    all.push_back(choice({.name = "objective",
                          .value = "WHAT",
                          .help = "rank by {}",
                          .group = kAnswer,
                          .fallback = "time"},
                         &R::objective, kObjectives));
  }
  all.push_back(
      positive({"gpu-hour-price", "USD", "of one GPU, all included: adds dollars", kAnswer},
               &R::gpu_hour_price, kMostPriceUsd));
  all.push_back(
      text({"economics", "NAME|FILE",
            fmt::format("whose rent of the GPU it is (cost: {})", kDefaultEconomics), kAnswer},
           &R::economics));
  all.push_back(choice({.name = "rent-term",
                        .value = "TERM",
                        .help = "that it is rented for: {}",
                        .group = kAnswer,
                        .fallback = "on-demand"},
                       &R::rent_term, kRentTerms));
  if (search) {
    all.push_back(integer({.name = "top",
                           .value = "K",
                           .help = "how many strategies to list",
                           .group = kAnswer,
                           .fallback = fmt::to_string(kTop)},
                          &R::top, 1, 10'000));
    all.push_back(positive(
        calibrated({"min-p-fits", "P", "least probability that a plan fits the memory", kAnswer}),
        &R::min_p_fits, kMostSure));
    all.push_back(turn_on(
        {"pareto", "", "the front of time against memory, from the search", kAnswer}, &R::pareto));
  }
  all.push_back(
      turn_on({"traffic", "", "what the plan sends, and what links carry", kAnswer}, &R::traffic));
  all.push_back(
      integer(calibrated({"nearest", "K", "measured runs most like the plan, beside it", kAnswer}),
              &R::nearest, 1, 1000));
  all.push_back(
      turn_on({"explain", "", "show each formula with its numbers", kAnswer}, &R::explain));
  all.push_back(choice({.name = "emit",
                        .value = "STACK",
                        .help = "settings for {}",
                        .group = kAnswer,
                        .own_text = true},
                       &R::emit, handover::kTrainingStacks));
  all.push_back(integer({"threads", "N", "of the search or fit (default: all cores)", kAnswer},
                        &R::threads, 1, kMostThreads));
  return all;
}

/// What an answer names where nobody gave it, but the axes.
std::vector<OptionOf<R>> workload_options() {
  return joined<R>(
      {{text({"model", "NAME|FILE", "a name (planner list models), or a JSON file", kWhat},
             &R::model)},
       in(&R::machine, system_options()),
       {of_member<R>({"gpus", "N", "GPUs in all (optimize --objective cost: a list)", kWhat},
                     &R::gpus,
                     [](std::string_view text, R& request) {
                       return store(parse_integers(text, 1, kMostGpus), request.gpus);
                     })},
       run_options(),
       software_options()});
}

}  // namespace

std::vector<OptionOf<PlanRequest>> plan_options(PlanUse use) {
  const bool run = use != PlanUse::traffic;  // with storage beside it, and failures
  return joined<R>(
      {workload_options(),
       in(&R::machine, joined<MachineChoice>({link_options(), memory_options()})),
       in(&R::strategy, axis_options(use)),
       {bytes_per_parameter()},
       in(&R::fabric, fabric_options()),
       answer_options(use),
       run ? std::vector{confidence_option(&R::confidence)} : std::vector<OptionOf<R>>{},
       in(&R::routing, routing_options(RoutingUse::plans)),
       run ? in(&R::routing, sharing_options()) : std::vector<OptionOf<R>>{},
       run ? in(&R::failures, failure_options()) : std::vector<OptionOf<R>>{}});
}

void refuse_other_timing(const PlanRequest& request) {
  const Timing timing = request.timing.value_or(Timing::calibrated);
  static const std::vector<OptionOf<PlanRequest>> kOptions = plan_options(PlanUse::search);
  refuse_other_timing(kOptions, request, timing);
  if (timing == Timing::calibrated) return;
  const job::StrategyChoice& way = request.strategy;
  if (!way.zero.empty() && way.zero.back() == 3) not_in_timing("--zero 3", timing);
  if (way.schedule && *way.schedule != Schedule::one_f_one_b &&
      *way.schedule != Schedule::interleaved) {
    not_in_timing(fmt::format("--schedule {}", name_of(*way.schedule)), timing);
  }
}

std::vector<std::string> assumed_inputs(const PlanRequest& request) {
  const Timing timing = request.timing.value_or(Timing::calibrated);
  return assumed_of(joined<R>({workload_options(), {bytes_per_parameter()}}), request, timing);
}

std::vector<std::string> assumed_axes(const PlanRequest& request, const Workload& workload) {
  std::vector<std::string> names =
      assumed_of(axis_options(PlanUse::one), request.strategy, workload.timing.kind());
  std::erase_if(names, [&](const std::string& name) {
    const bool of_experts = name == "ep" || name == "expert-tp";
    const bool sharded = name == "zero" && !request.strategy.pins.shard_ranks.empty();
    return (of_experts && !workload.model.moe) || sharded;
  });
  return names;
}

}  // namespace planner::commands
