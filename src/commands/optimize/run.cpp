#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "planner/commands/optimize/optimize.hpp"
#include "planner/core/ceil_div.hpp"
#include "planner/core/usage.hpp"
#include "planner/job/least_times.hpp"
#include "planner/job/used_gpus.hpp"

namespace planner::commands {

namespace {

Objective objective_of(const PlanRequest& request) {
  return request.objective.value_or(Objective::time);
}

SearchOptions search_options(const PlanRequest& request, const Context& context) {
  return {.objective = objective_of(request),
          .top = static_cast<std::size_t>(request.top.value_or(kTop)),
          .threads = static_cast<int>(request.threads.value_or(0)),
          .front = request.pareto,
          .least_p_fits = request.min_p_fits.value_or(0),
          .progress = context.progress,
          .stop = context.stop};
}

/// What the ranking's risk hides: the fastest of all, and the fastest that surely fits.
void add_fastest(const Workload& asked, const Workload& workload, const SearchSpace& space,
                 const SearchOptions& options, const SearchResult& found, LeastTimes& least,
                 OptimizeResult& result) {
  if (!workload.timing.calibrated() || !found.fastest) return;
  Workload of_fastest = workload;
  if (found.fastest_hb_domain > 0) {
    of_fastest = asked;
    of_fastest.system.hb_domain = found.fastest_hb_domain;
  }
  result.fastest = make_plan(of_fastest, found.fastest->strategy);
  const auto sure = job::fastest_that_surely_fits(workload, space, options, found, least);
  if (sure) result.fastest_surely = make_plan(workload, sure->strategy);
}

OptimizeResult result_of(const PlanRequest& request, const PlanJob& planned,
                         const SearchResult& found, Context& context) {
  const Workload& workload = planned.workload;
  OptimizeResult result{.strategies = found.strategies, .feasible = found.feasible};
  for (const Ranked& ranked : found.best) {
    result.top.push_back(make_plan(workload, ranked.strategy));
  }
  for (const Ranked& ranked : found.front) {
    result.front.push_back(make_plan(workload, ranked.strategy));
  }
  result.best = result.top.front();
  result.extras = plan_extras(request, planned, result.best, context);
  return result;
}

/// What is told of a search.
/// @param asked  before the search, which may use a part of each HB domain
OptimizeAnswer answer_of(const PlanRequest& request, const PlanJob& planned, const Workload& asked,
                         const SearchSpace& space, const SearchOptions& options,
                         const SearchResult& found, Context& context) {
  const Workload& workload = planned.workload;
  OptimizeAnswer answer{.inputs = plan_inputs(planned, options.objective)};
  answer.inputs.hb_domain_used = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  answer.inputs.system.hb_domain = asked.system.hb_domain;
  if (found.strategies == 0) {
    context.fail(ExitCode::infeasible, no_strategy(workload, space, options.stop));
  } else if (found.feasible == 0) {
    context.fail(ExitCode::infeasible, nothing_fits(workload, found, request.strategy));
  } else {
    answer.result = result_of(request, planned, found, context);
    const std::shared_ptr<LeastTimes> least = job::least_times(workload, space);
    add_fastest(asked, workload, space, options, found, *least, *answer.result);
    if (options.objective != Objective::memory) {
      answer.result->what_binds =
          job::what_binds(workload, space, options, answer.result->best, *least);
    }
    answer.emitted = handed_over(request, planned, answer.result->best);
    warn_about_leaves(planned, context.warnings);
    job::warn_about_idle_gpus(asked, domain_use(planned).as_one, context.warnings);
    job::warn_about_domain_use(asked, workload, context.warnings);
    job::warn_about_measured_range(workload, answer.result->best, context.warnings);
  }
  return answer;
}

/// Several placements as one, that leaves each group of ranks the most that one of them does: no
/// strategy takes less on any. Nothing for GPUs that share cards, whose stages wait for each other
/// the less, the longer they take.
std::optional<Workload> best_of_each(const std::vector<PlanJob>& placements) {
  if (placements.size() < 2 || placements.front().workload.system.host) return std::nullopt;
  Workload all = placements.front().workload;
  std::vector<RoutingFactors> factors;
  for (const PlanJob& one : placements) {
    factors.push_back(*one.workload.routing);
    if (!one.workload.stage_limit) all.stage_limit.reset();
  }
  all.routing = least_of(std::move(factors));
  return all;
}

/// On the free GPUs where the best strategy is fastest, which the job becomes one on.
SearchResult searched(const PlanRequest& request, PlanJob& planned, const SearchSpace& space,
                      const SearchOptions& options) {
  const std::vector<PlanJob> others = placed_otherwise(request, planned);
  SearchResult found = job::search_domains(planned.workload, space, options);
  if (options.objective == Objective::memory || found.best.empty()) return found;
  const SearchOptions quick = options.for_best();
  const FitRule rule = fit_rule(planned.workload, options.least_p_fits);
  Seconds least = found.best.front().value(rule);
  const auto beats = [&](const Workload& there) {
    return job::value_below(job::kFaster * least, there, space, quick);
  };
  const std::optional<Workload> all = best_of_each(others);
  if (all && !beats(*all)) return found;
  const PlanJob* better = nullptr;
  for (const PlanJob& other : others) {
    const std::optional<Seconds> value = beats(other.workload);
    if (!value) continue;
    least = *value;
    better = &other;
  }
  if (better == nullptr) return found;
  planned = *better;
  return job::search_domains(planned.workload, space, options);
}

OptimizeAnswer best_of_one_count(const PlanRequest& request, Context& context) {
  PlanJob planned = plan_job(request, context.catalog, context.warnings);
  const SearchSpace space = job::search_space(request.strategy, planned.workload);
  SearchOptions options = search_options(request, context);
  std::vector<SearchedColumn> columns;
  options.searched = &columns;
  options.told_up_to = 1 + job::kSensitivityStep;
  // A missing price is said before the search.
  static_cast<void>(gpu_price(request, planned.workload.system, context.catalog));
  const SearchResult found = searched(request, planned, space, options);
  Workload asked = planned.workload;
  asked.system.hb_domain = planned.hb_domain;
  return answer_of(request, planned, asked, space, options, found, context);
}

void refuse_beside_most(const PlanRequest& request) {
  if (!request.gpus.empty()) usage_error("--max-gpus takes the place of --gpus");
  if (objective_of(request) != Objective::time) {
    usage_error("--max-gpus looks for the fastest", "leave --objective out");
  }
  if (request.routing.how.scheme || request.fabric.topology) {
    usage_error("--max-gpus does not know the network of each number of GPUs",
                "name one with --gpus");
  }
}

/// The best number of GPUs up to so many, in whole HB domains.
OptimizeAnswer best_up_to(PlanRequest request, Context& context) {
  refuse_beside_most(request);
  const std::int64_t most = *request.max_gpus;
  request.gpus = {most};
  PlanJob planned = plan_job(request, context.catalog, context.warnings);
  const SearchSpace space = job::search_space(request.strategy, planned.workload);
  SearchOptions options = search_options(request, context);
  std::vector<SearchedColumn> columns;
  options.searched = &columns;
  options.told_up_to = 1 + job::kSensitivityStep;
  static_cast<void>(gpu_price(request, planned.workload.system, context.catalog));
  const std::int64_t domains = ceil_div(most, planned.hb_domain);
  const job::GpuSupply supply{
      .bought = domains * planned.hb_domain, .hb_domain = planned.hb_domain, .most = most};
  std::optional<job::BestUse> best = job::best_use(planned.workload, supply, space, options);
  if (!best) return best_of_one_count(request, context);  // which says what comes closest
  Workload asked = planned.workload;
  asked.gpus = best->use.gpus;
  planned.workload = std::move(best->workload);
  OptimizeAnswer answer = answer_of(request, planned, asked, space, options, best->found, context);
  if (best->use.gpus < most) {
    context.warnings.push_back(fmt::format(
        "of up to {} GPUs, in {} HB domains of {}, {} are used: no other number is faster there",
        most, domains, planned.hb_domain, best->use.gpus));
  }
  return answer;
}

/// The cheapest of one number of GPUs, without what a full answer has besides.
GpuCount cheapest_of(PlanRequest request, std::int64_t gpus, const Context& context) {
  request.gpus = {gpus};
  std::vector<std::string> warnings;  // the chosen count's are shown
  PlanJob planned = plan_job(request, context.catalog, warnings);
  Workload& workload = planned.workload;
  SearchOptions options = search_options(request, context).for_best();
  options.progress = context.progress;
  const SearchResult found =
      searched(request, planned, job::search_space(request.strategy, workload), options);
  GpuCount count{.gpus = gpus};
  if (found.best.empty()) return count;
  const Plan plan = make_plan(workload, found.best.front().strategy);
  Context unheard{.catalog = context.catalog, .stop = context.stop};
  const PlanExtras extras = plan_extras(request, planned, plan, unheard);
  const RentCost& cost = extras.paid->cost;
  count.iteration = plan.time.total();
  count.per_iteration = cost.per_iteration.expected;
  if (cost.per_run) count.per_run = cost.per_run->expected;
  if (extras.forecast && extras.forecast->cost) {
    count.expected_per_run = extras.forecast->cost->mean;
  }
  return count;
}

/// Every number of GPUs by itself, then the cheapest in full; of equals the smallest.
OptimizeAnswer best_of_counts(PlanRequest request, Context& context) {
  std::vector<GpuCount> each;
  const GpuCount* cheapest = nullptr;
  each.reserve(request.gpus.size());
  for (const std::int64_t gpus : request.gpus) {
    const GpuCount& one = each.emplace_back(cheapest_of(request, gpus, context));
    if (!one.ranked_by()) continue;
    if (cheapest == nullptr || *one.ranked_by() < *cheapest->ranked_by()) cheapest = &one;
  }
  // Without any, the largest count comes closest to fitting.
  request.gpus = {cheapest == nullptr ? request.gpus.back() : cheapest->gpus};
  OptimizeAnswer answer = best_of_one_count(request, context);
  if (answer.result) answer.result->gpu_counts = std::move(each);
  return answer;
}

std::vector<SweepLine> lines(const OptimizeAnswer& answer) {
  if (!answer.result) return {};
  return {{.figures = plan_figures(answer.result->best, answer.result->extras)}};
}

}  // namespace

OptimizeAnswer optimize_plan(const PlanRequest& request, Context& context) {
  if (request.max_gpus) return best_up_to(request, context);
  const bool choose = request.objective == Objective::cost && request.gpus.size() > 1;
  return choose ? best_of_counts(request, context) : best_of_one_count(request, context);
}

Command optimize() {
  return erased(CommandOf<PlanRequest, OptimizeAnswer>{
      .name = "optimize",
      .summary = "find the best strategy, exactly, out of every legal one",
      .plans = true,
      .shows_money = true,
      .options = plan_options(PlanUse::search),
      .run = optimize_plan,
      .fields = optimize_fields,
      .view = optimize_view,
      .lines = lines,
      .has_result = [](const OptimizeAnswer& answer) { return answer.result.has_value(); }});
}

}  // namespace planner::commands
