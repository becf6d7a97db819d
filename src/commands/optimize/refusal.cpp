#include <fmt/format.h>

#include "planner/commands/optimize/optimize.hpp"
#include "planner/commands/plans/option_kinds.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

/// The nearest GPU counts that do have a strategy, each with its best: "1024 GPUs (tp 8, …)".
std::string nearest_counts(const Workload& workload, const SearchSpace& space,
                           const std::atomic<bool>* stop) {
  const NearestCounts nearest = nearest_gpu_counts(workload, space, stop);
  if (is_set(stop)) throw Interrupted();
  std::string text;
  for (const std::int64_t gpus : {nearest.below, nearest.above}) {
    if (gpus == 0) continue;
    Workload other = workload;
    other.gpus = gpus;
    const SearchResult result =
        job::search_all(other, space, {.top = 1, .count = false, .stop = stop});
    const std::string example = result.best.empty()
                                    ? "none of its strategies fits the memory"
                                    : degrees_in_words(result.best.front().strategy);
    text += fmt::format("{}{} GPUs ({})", text.empty() ? "closest: " : ", ", gpus, example);
  }
  return text;
}

}  // namespace

Diagnostic no_strategy(const Workload& workload, const SearchSpace& space,
                       const std::atomic<bool>* stop) {
  std::string message =
      fmt::format("--gpus {}: no strategy uses exactly {} GPUs with global batch {}", workload.gpus,
                  workload.gpus, workload.run.global_batch);
  const bool pinned = space.pins != Pins{};
  if (pinned) message += " and the axes given";
  if (workload.stage_limit) {
    message += fmt::format(", its pipeline alone leaving pods of {} GPUs", *workload.stage_limit);
  }
  std::string hint = nearest_counts(workload, space, stop);
  const bool closest = !hint.empty();
  if (closest) {
    const std::int64_t batch = nearest_batch(workload, space, stop);
    if (is_set(stop)) throw Interrupted();
    if (batch > 0) hint += fmt::format("; --global-batch {} uses all {}", batch, workload.gpus);
    if (workload.gpus <= kMostMaxGpus) {
      hint += fmt::format("; --max-gpus {} uses what is best of them", workload.gpus);
    }
  }
  if (!closest && pinned) {
    hint =
        "no GPU count has one: tp must divide the sequence and the hidden size, pp × interleave "
        "the layers, dp × micro-batch the global batch; shard-ranks must divide dp × cp";
  }
  return {.code = "no-strategy",
          .message = std::move(message),
          .hint = std::move(hint),
          .closest = closest};
}

Diagnostic nothing_fits(const Workload& workload, const SearchResult& found,
                        const job::StrategyChoice& asked_axes) {
  const Ranked& miss = *found.closest_miss;
  const Strategy& strategy = miss.strategy;
  const bool all_open = workload.timing.calibrated() || asked_axes.all_axes;
  return {.code = "nothing-fits",
          .message = fmt::format("none of {} strategies fits: the closest needs {}, has {}",
                                 found.strategies, memory_words(miss.memory),
                                 memory_words(memory_limit(workload))),
          .hint = fmt::format("closest: {}, interleave {}, micro-batch {}, recompute {}, ZeRO {}; "
                              "try {}more GPUs or --memory",
                              degrees_in_words(strategy), strategy.interleave, strategy.micro_batch,
                              name_of(strategy.recompute), strategy.zero,
                              all_open ? "" : "--all-axes, "),
          .closest = true};
}

}  // namespace planner::commands
