#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/options/fabric.hpp"
#include "planner/commands/plans/plans.hpp"
#include "planner/core/usage.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

using R = PlanRequest;
using Run = job::RunChoice;
using Soft = job::SoftwareChoice;
using Way = job::StrategyChoice;

constexpr double kMostTokens = 1e18, kMostSmShare = 0.9, kMostBytes = 1e6;
constexpr const char* kStrategy = "Strategy (optimize: pins the axis; lists like 1,2,4 too)";

/// An option that only the calibrated model knows.
OptionInfo calibrated(OptionInfo info) {
  info.timing = Timing::calibrated;
  return info;
}

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
          positive(calibrated({"communication-sm-share", "X",
                               "of the SMs, taken by communication (0)", kWhat}),
                   &Soft::communication_sm_share, kMostSmShare)});
  all.push_back(
      text(calibrated({"calibration", "NAME|FILE", "constants of the calibrated model", kWhat}),
           &R::calibration));
  return all;
}

OptionOf<Way> pinned(OptionOf<Pins> option) {
  return std::move(in(&Way::pins, std::vector{std::move(option)}).front());
}

/// @param neutral  a value that the closed form takes too; nullptr: it knows the axis
OptionOf<Way> axis(const char* name, const char* help, std::vector<std::int64_t> Pins::*at,
                   bool assumed, const char* neutral = nullptr) {
  OptionInfo info{.name = name, .value = "N", .help = help, .group = kStrategy, .assumed = assumed};
  if (neutral != nullptr) {
    info.timing = Timing::calibrated;
    info.neutral = neutral;
  }
  return pinned(integers(std::move(info), at, 1, kMostGpus));
}

OptionOf<Way> recompute(bool assumed) {
  OptionInfo info{.name = "recompute",
                  .value = "MODE",
                  .group = kStrategy,
                  .fallback = "selective",
                  .assumed = assumed};
  for (const Recompute mode : kRecomputes) info.choices.emplace_back(name_of(mode));
  const std::vector<std::string> names = info.choices;
  return of_member<Way>(
      std::move(info), &Way::recompute,
      [names](std::string_view text, Way& way) -> std::optional<std::string> {
        way.recompute.clear();
        for (const std::string& part : split_list(text)) {
          const auto mode = value_named(part, kRecomputes);
          if (!mode) return not_among(names, part);
          if (std::find(way.recompute.begin(), way.recompute.end(), *mode) == way.recompute.end()) {
            way.recompute.push_back(*mode);
          }
        }
        std::sort(way.recompute.begin(), way.recompute.end());
        return std::nullopt;
      });
}

OptionOf<Way> sequence_parallel(OptionInfo info, bool on) {
  return of_member<Way>(std::move(info), &Way::sequence_parallel,
                        [on](std::string_view, Way& way) -> std::optional<std::string> {
                          if (way.sequence_parallel == !on) {
                            return fmt::format(
                                "contradicts --{}sequence-parallel: give one of them",
                                on ? "no-" : "");
                          }
                          way.sequence_parallel = on;
                          return std::nullopt;
                        });
}

std::vector<OptionOf<Way>> axis_options(PlanUse use) {
  const bool one = use == PlanUse::one;  // whose answer names the axes that were filled in
  std::vector<OptionOf<Way>> axes{
      axis("tp", "tensor parallel degree", &Pins::tp, one),
      axis("pp", "pipeline parallel degree", &Pins::pp, one),
      axis("dp", "data parallel degree", &Pins::dp, one),
      axis("cp", "context parallel degree", &Pins::cp, one, "1"),
      axis("ep", "expert parallel degree", &Pins::ep, one, "1"),
      axis("expert-tp", "tensor parallel degree of the experts", &Pins::expert_tp, one, "1"),
      axis("interleave", "model chunks per pipeline rank", &Pins::interleave, one),
      axis("micro-batch", "sequences per micro-batch", &Pins::micro_batch, one),
      recompute(one),
      integers({.name = "zero",
                .value = "STAGE",
                .help = "ZeRO stage 0 (default) to 3",
                .group = kStrategy,
                .assumed = one},
               &Way::zero, 0, 3),
      axis("shard-ranks", "ranks that ZeRO 3 shards over (hybrid: not all)", &Pins::shard_ranks,
           false, ""),
      sequence_parallel({.name = "sequence-parallel",
                         .help = "shard norms along the sequence too (default)",
                         .group = kStrategy,
                         .assumed = one},
                        true),
      sequence_parallel({"no-sequence-parallel", "", "do not", kStrategy}, false),
      axis("tp-hb", "tensor parallel ranks inside an HB domain", &Pins::tp_hb, false),
      axis("pp-hb", "pipeline ranks inside an HB domain", &Pins::pp_hb, false),
      axis("dp-hb", "data parallel ranks inside an HB domain", &Pins::dp_hb, false),
      axis("cp-hb", "context parallel ranks inside an HB domain", &Pins::cp_hb, false, "1"),
      axis("ep-hb", "expert parallel ranks inside an HB domain", &Pins::ep_hb, false, "1"),
      choice({.name = "schedule", .value = "NAME", .group = kStrategy}, &Way::schedule,
             kSchedules)};
  if (one) return axes;
  axes.push_back(pinned(integer({"max-tp", "N", "no larger tensor parallel degree", kStrategy},
                                &Pins::max_tp, 1, kMostGpus)));
  axes.push_back(
      turn_on({"all-axes", "", "open recompute, ZeRO and sequence parallel too", kStrategy},
              &Way::all_axes));
  return axes;
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
  const bool search = use == PlanUse::search;
  if (search) {
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
    all.push_back(turn_on(
        {"pareto", "", "the front of time against memory, from the search", kAnswer}, &R::pareto));
  }
  all.push_back(
      turn_on({"explain", "", "show each formula with its numbers", kAnswer}, &R::explain));
  all.push_back(choice({.name = "emit",
                        .value = "STACK",
                        .help = "settings for {}",
                        .group = kAnswer,
                        .own_text = true},
                       &R::emit, handover::kTrainingStacks));
  all.push_back(integer({"threads", "N", "of the search or fit (default: all cores)", kAnswer},
                        &R::threads, 1, 4096));
  return all;
}

/// What an answer names where nobody gave it, but the axes.
std::vector<OptionOf<R>> workload_options() {
  return joined<R>(
      {{text({"model", "NAME|FILE", "a name (planner list models), or a JSON file", kWhat},
             &R::model)},
       in(&R::machine, system_options()),
       {of_member<R>({"gpus", "N", "GPUs in all (--objective cost: a list too)", kWhat}, &R::gpus,
                     [](std::string_view text, R& request) {
                       return store(parse_integers(text, 1, kMostGpus), request.gpus);
                     })},
       run_options(),
       software_options()});
}

}  // namespace

std::vector<OptionOf<PlanRequest>> plan_options(PlanUse use) {
  return joined<R>({workload_options(),
                    in(&R::machine, joined<MachineChoice>({link_options(), memory_options()})),
                    in(&R::strategy, axis_options(use)),
                    {bytes_per_parameter()},
                    in(&R::fabric, fabric_options()),
                    answer_options(use),
                    in(&R::routing, joined<RoutingChoice>(
                                        {routing_options(RoutingUse::plans), sharing_options()})),
                    in(&R::failures, failure_options())});
}

void refuse_other_timing(const PlanRequest& request) {
  const Timing timing = request.timing.value_or(Timing::calibrated);
  refuse_other_timing(plan_options(PlanUse::search), request, timing);
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
