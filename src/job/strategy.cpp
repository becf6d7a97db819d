#include "planner/job/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "planner/core/divisors.hpp"
#include "planner/core/usage.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/least_times.hpp"
#include "planner/perf/machine/torus.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/placement.hpp"

namespace planner::job {

namespace {

constexpr Seconds kNever{std::numeric_limits<double>::infinity()};

/// How many GPUs of an HB domain can be used as one, other than all that can: largest first. None
/// of a torus: its parts have no link to each other that the whole has not.
std::vector<std::int64_t> parts_of_domain(const Workload& workload) {
  const std::optional<DomainTorus>& torus = workload.system.torus;
  if (torus && !all_joined(*torus)) return {};
  std::vector<std::int64_t> parts =
      divisors(usable_hb_domain(workload.system.hb_domain, workload.gpus));
  parts.pop_back();
  std::reverse(parts.begin(), parts.end());
  return parts;
}

/// A search that neither counts nor has a front, where a ranking value is known to be reached:
/// columns that this beats by their least times are not looked at.
SearchResult search_known(const Workload& workload, const SearchSpace& space, SearchOptions options,
                          Seconds reached, LeastTimes& least) {
  options.known_time = reached;
  options.least_times = &least;
  return search_all(workload, space, options);
}

/// The least ranking value of fitting strategies that differ from the first of those found in what
/// runs again, ZeRO and sequence parallelism alone; infinite: none fits.
Seconds least_value_beside(const Workload& workload, const SearchSpace& space, const FitRule& rule,
                           const std::vector<Ranked>& found) {
  constexpr std::size_t kFirst = 3;
  const Enumeration all(workload, space);
  const Predictor predictor(workload);
  Seconds least = kNever;
  for (const Ranked& each : std::span(found).first(std::min(kFirst, found.size()))) {
    for (const Strategy& setting : all.settings(column_of(each.strategy))) {
      Strategy one = each.strategy;
      one.recompute = setting.recompute;
      one.recompute_modules = setting.recompute_modules;
      one.zero = setting.zero;
      one.shard_ranks = setting.shard_ranks;
      one.sequence_parallel = setting.sequence_parallel;
      const Prediction prediction = predictor.evaluate(one);
      const Bytes memory = prediction.memory.total();
      if (rule.fits(memory)) least = std::min(least, rule.risk(memory) * prediction.time.total());
    }
  }
  return least;
}

/// Modules belong to selective recomputation in Megatron-Core, a share of the layers to full.
void check_recomputation(const StrategyChoice& choice, const Workload& workload) {
  const auto among = [&](Recompute mode) {
    return choice.recompute.empty() || std::find(choice.recompute.begin(), choice.recompute.end(),
                                                 mode) != choice.recompute.end();
  };
  if (choice.recomputed_layers && !among(Recompute::full)) {
    usage_error("--recompute-layer-share: a share of the layers is recomputed in full",
                "with --recompute full");
  }
  if (!choice.recompute_modules) return;
  if (choice.recompute.size() > 1 || !among(Recompute::selective)) {
    usage_error("--recompute-modules: modules are run again by selective recomputation alone",
                "leave --recompute out, or give --recompute selective");
  }
  if (!has_recompute_modules(workload.software)) {
    usage_error(
        fmt::format("--recompute-modules: {} cannot name them", name_of(workload.software.stack)),
        "--software mcore and te can");
  }
  using enum RecomputeModule;
  for (const RecomputeModule module : kRecomputeModules) {
    if (!choice.recompute_modules->has(module)) continue;
    const TransformerSpec& model = workload.model;
    const auto& moe = model.moe;
    const bool there = module == mla_up_proj            ? model.mla.has_value()
                       : module == RecomputeModule::mlp ? !moe || moe->leading_dense_layers > 0
                       : module == shared_experts       ? moe && moe->shared_experts > 0
                       : module == moe_act || module == RecomputeModule::moe ? moe.has_value()
                                                                             : true;
    if (there) continue;
    usage_error(fmt::format("--recompute-modules: {} has no {}", model.title, name_of(module)));
  }
}

/// 1F1B is interleaving with one chunk; a zero-bubble schedule takes its place.
void pin_schedule(Schedule schedule, SearchSpace& space) {
  if (schedule == Schedule::interleaved) {
    if (space.pins.interleave == std::vector<std::int64_t>{1}) {
      usage_error("--schedule interleaved contradicts --interleave 1");
    }
    std::erase(space.pins.interleave, 1);
    space.least_interleave = 2;
    return;
  }
  space.pins.interleave = {1};
  space.without_interleaving = schedule;
}

void pin_recomputation(const StrategyChoice& choice, const Workload& workload, SearchSpace& space) {
  check_recomputation(choice, workload);
  if (choice.recompute_modules) {
    space.recompute = {Recompute::selective};
    space.recompute_modules = {*choice.recompute_modules};
  }
  if (choice.recomputed_layers) space.recomputed_layers = *choice.recomputed_layers;
}

void check_shard_ranks(const StrategyChoice& choice) {
  const bool other = !choice.zero.empty() && choice.zero != std::vector<std::int64_t>{3};
  if (!choice.pins.shard_ranks.empty() && other) {
    usage_error("--shard-ranks: only ZeRO 3 shards weights", "leave --zero out, or give --zero 3");
  }
}

/// HFReduce sums whole gradients, once: it shards optimizer states at most.
void check_gradient_sync(const StrategyChoice& choice, const Workload& workload) {
  if (workload.software.gradient_sync != GradientSync::hfreduce || choice.zero.empty()) return;
  if (choice.zero.front() < 2) return;
  usage_error(fmt::format("--zero {}: HFReduce sums whole gradients", choice.zero.front()),
              "--zero 0 or 1, or --gradient-sync nccl");
}

/// The one value of an axis, `otherwise` if none was given.
std::int64_t single(const std::vector<std::int64_t>& values, std::string_view option,
                    std::int64_t otherwise) {
  if (values.size() > 1) usage_error(fmt::format("--{}: estimate takes one value", option));
  return values.empty() ? otherwise : values.front();
}

void set_schedule(const StrategyChoice& choice, Strategy& strategy) {
  if (!choice.schedule) return;
  if (*choice.schedule == Schedule::interleaved) {
    if (strategy.interleave == 1)
      usage_error("--schedule interleaved needs --interleave 2 or more");
    return;
  }
  if (strategy.interleave > 1) {
    usage_error(fmt::format("--schedule {} has one model chunk per rank, not --interleave {}",
                            name_of(*choice.schedule), strategy.interleave));
  }
  strategy.without_interleaving = *choice.schedule;
}

}  // namespace

SearchSpace search_space(const StrategyChoice& choice, const Workload& workload) {
  SearchSpace space;
  check_shard_ranks(choice);
  check_gradient_sync(choice, workload);
  if (workload.timing.calibrated()) {
    space = all_calibrated_axes(workload);
  } else if (choice.all_axes) {
    space = all_closed_form_axes();
  }
  space.pins = choice.pins;
  if (!choice.recompute.empty()) {
    space.recompute = choice.recompute;
    // Who asks for selective recomputation may mean what the software calls so by default.
    std::vector<RecomputeModules>& sets = space.recompute_modules;
    if (std::find(sets.begin(), sets.end(), RecomputeModules{}) == sets.end()) {
      sets.insert(sets.begin(), RecomputeModules{});
    }
  }
  pin_recomputation(choice, workload, space);
  if (!choice.zero.empty()) {
    space.zero.clear();
    for (const std::int64_t stage : choice.zero) space.zero.push_back(static_cast<int>(stage));
  }
  if (!choice.pins.shard_ranks.empty() && choice.zero.empty()) space.zero = {3};
  if (workload.software.gradient_sync == GradientSync::hfreduce) {
    std::erase_if(space.zero, [](int stage) { return stage > 1; });
  }
  if (choice.sequence_parallel) space.sequence_parallel = {*choice.sequence_parallel};
  if (choice.schedule) pin_schedule(*choice.schedule, space);
  return space;
}

Strategy asked_strategy(const StrategyChoice& choice, const Workload& workload) {
  check_shard_ranks(choice);
  check_gradient_sync(choice, workload);
  if (choice.recompute.size() > 1) usage_error("--recompute: estimate takes one value");
  const std::int64_t t = single(choice.pins.tp, "tp", 1), p = single(choice.pins.pp, "pp", 1);
  const std::int64_t c = single(choice.pins.cp, "cp", 1);
  std::int64_t ranks = 0;
  const bool divides = !__builtin_mul_overflow(t, p, &ranks) &&
                       !__builtin_mul_overflow(ranks, c, &ranks) && workload.gpus % ranks == 0;
  Strategy strategy;
  strategy.tp.net = t;
  strategy.pp.net = p;
  strategy.cp.net = c;
  strategy.dp.net = single(choice.pins.dp, "dp", divides ? workload.gpus / ranks : 1);
  strategy.ep.net = single(choice.pins.ep, "ep", 1);
  strategy.expert_tp = single(choice.pins.expert_tp, "expert-tp", 1);
  strategy.interleave = single(choice.pins.interleave, "interleave", 1);
  strategy.micro_batch = single(choice.pins.micro_batch, "micro-batch", 1);
  if (!choice.recompute.empty()) strategy.recompute = choice.recompute.front();
  check_recomputation(choice, workload);
  if (choice.recompute_modules) {
    strategy.recompute = Recompute::selective;
    strategy.recompute_modules = *choice.recompute_modules;
  }
  if (choice.recomputed_layers) {
    strategy.recompute = Recompute::full;
    strategy.recomputed_layers = *choice.recomputed_layers;
  }
  strategy.zero =
      static_cast<int>(single(choice.zero, "zero", choice.pins.shard_ranks.empty() ? 0 : 3));
  strategy.shard_ranks = single(choice.pins.shard_ranks, "shard-ranks", 0);
  std::int64_t data_ranks = 0;
  const bool countable = !__builtin_mul_overflow(strategy.dp.net, c, &data_ranks);
  if (countable && strategy.shard_ranks == data_ranks) strategy.shard_ranks = 0;  // all of them
  strategy.sequence_parallel = choice.sequence_parallel.value_or(true);
  set_schedule(choice, strategy);
  return strategy;
}

SearchResult search_all(const Workload& workload, const SearchSpace& space,
                        const SearchOptions& options) {
  SearchResult result = rank_strategies(workload, space, options);
  if (result.interrupted) throw Interrupted();
  return result;
}

SearchResult search_domains(Workload& workload, const SearchSpace& space,
                            const SearchOptions& options) {
  SearchResult found = search_all(workload, space, options);
  const bool none = found.best.empty();
  if (none ? !space.pins.place_ranks() : options.objective == Objective::memory) return found;
  const std::int64_t usable = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  SearchOptions quick = options.for_best();
  Workload part = workload;
  std::optional<std::int64_t> better;
  const FitRule rule = fit_rule(workload, options.least_p_fits);
  Seconds least = none ? kNever : found.best.front().value(rule);
  std::optional<Ranked> fastest = found.fastest;
  std::int64_t of_fastest = usable;
  for (const std::int64_t gpus : parts_of_domain(workload)) {
    part.system.hb_domain = gpus;
    LeastTimes of_part(part, space, LeastTimes::Counting::messages);
    const SearchResult one = search_known(part, space, quick, least, of_part);
    if (one.fastest && (!fastest || one.fastest->time < kFaster * fastest->time)) {
      fastest = one.fastest;
      of_fastest = gpus;
    }
    if (one.best.empty() || !(one.best.front().value(rule) < kFaster * least)) continue;
    better = gpus;
    least = one.best.front().value(rule);
  }
  if (better) {
    workload.system.hb_domain = *better;
    found = search_all(workload, space, options);
  }
  found.fastest = fastest;
  found.fastest_hb_domain = of_fastest == better.value_or(usable) ? 0 : of_fastest;
  return found;
}

std::optional<Seconds> value_below(Seconds known, const Workload& workload,
                                   const SearchSpace& space, const SearchOptions& options) {
  const FitRule rule = fit_rule(workload, options.least_p_fits);
  std::optional<Seconds> least;
  const auto look_at = [&](const Workload& part) {
    const Seconds reached = least.value_or(known);
    LeastTimes of_part(part, space, LeastTimes::Counting::messages);
    const SearchResult found = search_known(part, space, options, reached, of_part);
    if (found.best.empty()) return;
    const Seconds value = found.best.front().value(rule);
    if (value < reached) least = value;
  };
  look_at(workload);
  Workload part = workload;
  for (const std::int64_t gpus : parts_of_domain(workload)) {
    part.system.hb_domain = gpus;
    look_at(part);
  }
  return least;
}

std::shared_ptr<LeastTimes> least_times(const Workload& workload, const SearchSpace& space) {
  return std::make_shared<LeastTimes>(workload, space, LeastTimes::Counting::messages);
}

std::optional<Ranked> fastest_that_surely_fits(const Workload& workload, const SearchSpace& space,
                                               SearchOptions options, const SearchResult& found,
                                               LeastTimes& least) {
  const FitRule rule = fit_rule(workload, options.least_p_fits);
  const auto sure = std::find_if(found.best.begin(), found.best.end(),
                                 [&](const Ranked& each) { return rule.surely(each.memory); });
  if (sure != found.best.end() && options.objective != Objective::memory) return *sure;
  options = options.for_best();
  options.objective = Objective::time;
  options.least_p_fits = std::max(options.least_p_fits, kSurely);
  const FitRule surely = fit_rule(workload, options.least_p_fits);
  const Seconds reached = least_value_beside(workload, space, surely, found.best);
  LeastTimes of_fitting(workload, space, LeastTimes::Counting::messages);  // `least` keeps them all
  of_fitting.compare_with(least, 1);
  of_fitting.leave_out(options.searched, 1, surely.limit(), rule.limit());
  const SearchResult among = reached < kNever
                                 ? search_known(workload, space, options, reached, of_fitting)
                                 : search_all(workload, space, options);
  return among.best.empty() ? std::nullopt : std::optional{among.best.front()};
}

std::optional<Strategy> place_in_domains(Workload& workload, const SearchSpace& space,
                                         const Strategy& asked) {
  std::optional<Strategy> placed = fastest_placement(workload, space, asked);
  Workload part = workload;
  Seconds least = placed ? evaluate(workload, *placed).time.total() : kNever;
  for (const std::int64_t gpus : parts_of_domain(workload)) {
    part.system.hb_domain = gpus;
    const std::optional<Strategy> other = fastest_placement(part, space, asked);
    if (!other) continue;
    const Seconds time = evaluate(part, *other).time.total();
    if (!(time < kFaster * least)) continue;
    least = time;
    placed = other;
    workload.system.hb_domain = gpus;
  }
  return placed;
}

void warn_about_domain_use(const Workload& workload, const Workload& planned,
                           std::vector<std::string>& warnings) {
  const std::int64_t used = planned.system.hb_domain;
  if (used == workload.system.hb_domain) return;
  warnings.push_back(fmt::format(
      "{} of each HB domain's {} GPUs are used as one domain: no other number is faster", used,
      workload.system.hb_domain));
}

}  // namespace planner::job
