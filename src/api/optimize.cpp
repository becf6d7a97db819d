#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "planner/api/commands.hpp"
#include "planner/api/forecast.hpp"
#include "planner/api/options.hpp"
#include "planner/api/range_warnings.hpp"
#include "planner/domain/names.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner {

namespace {

constexpr double kLarger = 1 + kSensitivityStep;

SearchOptions search_options(const Request& request, const Control& control) {
  return {.objective = request.objective.value_or(Objective::time),
          .top = static_cast<std::size_t>(request.top.value_or(defaults::kTop)),
          .threads = static_cast<int>(request.threads.value_or(0)),
          .front = request.pareto,
          .progress = control.progress,
          .stop = control.stop};
}

/// The best time again with each resource larger by kSensitivityStep.
std::vector<Sensitivity> what_binds(const Workload& workload, const SearchSpace& space,
                                    SearchOptions options, const Plan& best) {
  options.objective = Objective::time;
  options.top = 1;
  options.front = false;
  options.count = false;
  options.progress = nullptr;
  std::vector<Sensitivity> found;
  const auto grow = [&](std::string resource, std::string option, auto&& enlarge) {
    Workload larger = workload;
    enlarge(larger.system);
    options.known_time = evaluate(larger, best.strategy).time.total();
    const SearchResult result = search_all(larger, space, options);
    if (result.best.empty()) return;
    const Seconds time = result.best.front().time;
    found.push_back({.resource = std::move(resource),
                     .option = std::move(option),
                     .time = time,
                     .change = time / best.time.total() - 1});
  };
  grow("peak FLOP/s", "", [&](System& system) {
    for (PeakRates* rates : {&system.accelerator.datasheet, &system.accelerator.silicon}) {
      for (auto rate :
           {&rates->fp32, &rates->tf32, &rates->fp16, &rates->bf16, &rates->fp8, &rates->fp4}) {
        if (*rate) *rate = kLarger * **rate;
      }
    }
  });
  grow("HB bandwidth", "hb-bandwidth",
       [](System& system) { system.hb_bandwidth = kLarger * system.hb_bandwidth; });
  grow("network bandwidth", "network-bandwidth",
       [](System& system) { system.network_bandwidth = kLarger * system.network_bandwidth; });
  grow("memory", "memory", [limit = memory_limit(workload)](System& system) {
    set_memory(system.accelerator, kLarger * limit);
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const Sensitivity& a, const Sensitivity& b) { return a.change < b.change; });
  return found;
}

std::string degrees_in_words(const Strategy& strategy) {
  std::string text = fmt::format("tp {}, pp {}, dp {}", strategy.tp.total(), strategy.pp.total(),
                                 strategy.dp.total());
  if (strategy.cp.total() > 1) text += fmt::format(", cp {}", strategy.cp.total());
  if (strategy.ep.total() > 1) text += fmt::format(", ep {}", strategy.ep.total());
  return text;
}

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
    const SearchResult result = search_all(other, space, {.top = 1, .count = false, .stop = stop});
    const std::string example = result.best.empty()
                                    ? "none of its strategies fits the memory"
                                    : degrees_in_words(result.best.front().strategy);
    text += fmt::format("{}{} GPUs ({})", text.empty() ? "closest: " : ", ", gpus, example);
  }
  return text;
}

Diagnostic no_strategy(const Workload& workload, const SearchSpace& space,
                       const std::atomic<bool>* stop) {
  std::string message =
      fmt::format("--gpus {}: no strategy uses exactly {} GPUs with global batch {}", workload.gpus,
                  workload.gpus, workload.run.global_batch);
  const bool pinned =
      !(space.tp.empty() && space.pp.empty() && space.dp.empty() && space.tp_hb.empty() &&
        space.pp_hb.empty() && space.dp_hb.empty() && space.cp.empty() && space.ep.empty() &&
        space.expert_tp.empty() && space.cp_hb.empty() && space.ep_hb.empty() &&
        space.micro_batch.empty() && space.interleave.empty() && space.shard_ranks.empty());
  if (pinned) message += " and the axes given";
  if (workload.stage_limit) {
    message += fmt::format(", its pipeline alone leaving pods of {} GPUs", *workload.stage_limit);
  }
  std::string hint = nearest_counts(workload, space, stop);
  if (hint.empty() && pinned) {
    hint =
        "no GPU count has one: tp must divide the sequence and the hidden size, pp × interleave "
        "the layers, dp × micro-batch the global batch; shard-ranks must divide dp × cp";
  }
  return {.code = "no-strategy", .message = std::move(message), .hint = std::move(hint)};
}

Diagnostic nothing_fits(const Workload& workload, const SearchResult& found) {
  const Ranked& miss = *found.closest_miss;
  const Strategy& strategy = miss.strategy;
  return {.code = "nothing-fits",
          .message = fmt::format("none of {} strategies fits: the closest needs {}, has {}",
                                 found.strategies, memory_words(miss.memory),
                                 memory_words(memory_limit(workload))),
          .hint = fmt::format("closest: {}, interleave {}, micro-batch {}, recompute {}, ZeRO {}; "
                              "try --all-axes, more GPUs or --memory",
                              degrees_in_words(strategy), strategy.interleave, strategy.micro_batch,
                              name_of(strategy.recompute), strategy.zero)};
}

OptimizeResult make_result(const Request& request, const ResolvedInputs& inputs,
                           const SearchResult& found, const catalog::Catalog& catalog,
                           std::vector<std::string>& warnings) {
  const Workload& workload = inputs.workload;
  OptimizeResult result{.strategies = found.strategies, .feasible = found.feasible};
  for (const Ranked& ranked : found.best) {
    result.top.push_back(make_plan(workload, ranked.strategy));
  }
  for (const Ranked& ranked : found.front) {
    result.pareto.push_back(make_plan(workload, ranked.strategy));
  }
  result.best = result.top.front();
  if (workload.run.tokens) {
    result.training = training_totals(workload, result.best, *workload.run.tokens);
  }
  result.paid = paid_plan(request, workload, result.best, catalog);
  result.forecast = plan_forecast(request, inputs, result.best, result.paid, catalog, warnings);
  if (request.explain) result.explanation = explain(workload, result.best.strategy);
  return result;
}

Response optimize_count(const Request& request, const catalog::Catalog& catalog,
                        const Control& control) {
  Response response{.command = Command::optimize};
  response.inputs = resolve(request, catalog, response.warnings);
  const Workload& workload = response.inputs->workload;
  const SearchSpace space = search_space(request, workload);
  const SearchOptions options = search_options(request, control);
  gpu_price(request, workload.system, catalog);  // a missing price is said before the search

  const SearchResult found = search_all(workload, space, options);
  if (found.strategies == 0) {
    response.exit_code = ExitCode::infeasible;
    response.errors.push_back(no_strategy(workload, space, options.stop));
  } else if (found.feasible == 0) {
    response.exit_code = ExitCode::infeasible;
    response.errors.push_back(nothing_fits(workload, found));
  } else {
    OptimizeResult result =
        make_result(request, *response.inputs, found, catalog, response.warnings);
    if (options.objective != Objective::memory) {
      result.what_binds = what_binds(workload, space, options, result.best);
    }
    warn_about_idle_gpus(*response.inputs, response.warnings);
    warn_about_measured_range(workload, result.best, response.warnings);
    response.result = std::move(result);
  }
  return response;
}

/// The cheapest of one number of GPUs, without what a full answer has besides.
GpuCount cheapest_of(Request request, std::int64_t gpus, const catalog::Catalog& catalog,
                     const Control& control) {
  request.gpus = gpus;
  std::vector<std::string> warnings;  // the chosen count's are shown
  const ResolvedInputs inputs = resolve(request, catalog, warnings);
  const Workload& workload = inputs.workload;
  const GpuPrice price = *gpu_price(request, workload.system, catalog);
  SearchOptions options = search_options(request, control);
  options.top = 1;
  options.front = false;
  options.count = false;
  const SearchResult found = search_all(workload, search_space(request, workload), options);
  GpuCount count{.gpus = gpus, .plan = {}, .cost = {}};
  if (found.best.empty()) return count;
  count.plan = make_plan(workload, found.best.front().strategy);
  count.cost = plan_cost(workload, *count.plan, price);
  return count;
}

/// Every number of GPUs by itself, then the cheapest in full; of equals the smallest.
Response optimize_counts(Request request, const catalog::Catalog& catalog, const Control& control) {
  const std::vector<std::int64_t> counts = std::exchange(request.gpu_counts, {});
  std::vector<GpuCount> each;
  const GpuCount* cheapest = nullptr;
  each.reserve(counts.size());
  for (const std::int64_t gpus : counts) {
    each.push_back(cheapest_of(request, gpus, catalog, control));
    const GpuCount& one = each.back();
    const auto cost = [](const GpuCount& c) { return c.cost->per_iteration.expected; };
    if (one.plan && (cheapest == nullptr || cost(one) < cost(*cheapest))) cheapest = &one;
  }
  // Without any, the largest count comes closest to fitting.
  request.gpus = cheapest == nullptr ? counts.back() : cheapest->gpus;
  Response response = optimize_count(request, catalog, control);
  if (auto* result = std::get_if<OptimizeResult>(&response.result)) {
    result->gpu_counts = std::move(each);
  }
  return response;
}

}  // namespace

std::optional<PaidPlan> paid_plan(const Request& request, const Workload& workload,
                                  const Plan& plan, const catalog::Catalog& catalog) {
  std::optional<GpuPrice> price = gpu_price(request, workload.system, catalog);
  if (!price) return std::nullopt;
  const RentCost cost = plan_cost(workload, plan, *price);
  return PaidPlan{.price = *std::move(price),
                  .cost = cost,
                  .node_energy = node_energy(workload, plan.time.total(), catalog)};
}

Response optimize(const Request& request, const catalog::Catalog& catalog, const Control& control) {
  const bool choose = request.objective == Objective::cost && request.gpu_counts.size() > 1;
  return choose ? optimize_counts(request, catalog, control)
                : optimize_count(request, catalog, control);
}

}  // namespace planner
