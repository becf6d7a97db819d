#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/plans/option_kinds.hpp"
#include "planner/core/usage.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

using Way = job::StrategyChoice;

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

OptionOf<Way> recompute_modules() {
  OptionInfo info{.name = "recompute-modules",
                  .value = "LIST",
                  .help = "of selective recomputation, as Megatron's: layernorm,moe_act",
                  .group = kStrategy,
                  .timing = Timing::calibrated};
  std::vector<std::string> names;
  for (const RecomputeModule module : kRecomputeModules) names.emplace_back(name_of(module));
  return of_member<Way>(std::move(info), &Way::recompute_modules,
                        [names](std::string_view text, Way& way) -> std::optional<std::string> {
                          RecomputeModules modules;
                          for (const std::string& part : split_list(text)) {
                            const auto module = value_named(part, kRecomputeModules);
                            if (!module) return not_among(names, part);
                            modules.insert(*module);
                          }
                          way.recompute_modules = modules;
                          return std::nullopt;
                        });
}

/// The names of the schedules, and longer ones that others use.
OptionOf<Way> schedule() {
  OptionOf<Way> option =
      choice({.name = "schedule", .value = "NAME", .group = kStrategy}, &Way::schedule, kSchedules);
  option.read = [read = option.read](std::string_view text, Way& way) {
    const bool longer = text == "zero-bubble-1p" || text == "zero-bubble-2p";
    return read(longer ? fmt::format("zb-{}", text.substr(text.size() - 2)) : std::string{text},
                way);
  };
  return option;
}

}  // namespace

std::vector<OptionOf<Way>> axis_options(PlanUse use) {
  const bool one = use != PlanUse::search;  // whose answer names the axes that were filled in
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
      recompute_modules(),
      positive({.name = "recompute-layer-share",
                .value = "X",
                .help = "of the layers, that --recompute full runs again (1)",
                .group = kStrategy,
                .timing = Timing::calibrated},
               &Way::recomputed_layers, 1),
      integers({.name = "zero",
                .value = "STAGE",
                .help = "ZeRO stage 0 (default) to 3",
                .group = kStrategy,
                .assumed = one},
               &Way::zero, 0, 3),
      axis("shard-ranks", "ranks that ZeRO 3 shards over (hybrid: not all)", &Pins::shard_ranks,
           false, ""),
      either<Way>({.name = "sequence-parallel",
                   .help = "shard norms along the sequence too (default)",
                   .group = kStrategy,
                   .assumed = one},
                  &Way::sequence_parallel, true),
      either<Way>({"no-sequence-parallel", "", "do not", kStrategy}, &Way::sequence_parallel,
                  false),
      axis("tp-hb", "tensor parallel ranks inside an HB domain", &Pins::tp_hb, false),
      axis("pp-hb", "pipeline ranks inside an HB domain", &Pins::pp_hb, false),
      axis("dp-hb", "data parallel ranks inside an HB domain", &Pins::dp_hb, false),
      axis("cp-hb", "context parallel ranks inside an HB domain", &Pins::cp_hb, false, "1"),
      axis("ep-hb", "expert parallel ranks inside an HB domain", &Pins::ep_hb, false, "1"),
      schedule()};
  if (one) return axes;
  axes.push_back(pinned(integer({"max-tp", "N", "no larger tensor parallel degree", kStrategy},
                                &Pins::max_tp, 1, kMostGpus)));
  axes.push_back(
      turn_on({"all-axes", "", "open recompute, ZeRO and sequence parallel too", kStrategy},
              &Way::all_axes));
  return axes;
}

}  // namespace planner::commands
