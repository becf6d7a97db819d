#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/workload.hpp"
#include "planner/json/output.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// That --no-bounds looks at one by one.
constexpr std::int64_t kMostLookedAt = 15'000;

Money cents(double amount) {
  return Money::cents(std::llround(amount));
}

/// The file of a design.
Cluster cluster_file(const OpenSpace& open, const Brief& brief, const design::Found& found) {
  const design::DesignId& id = found.place.id;
  const design::SystemOption& option = open.space.systems[id.system];
  Cluster cluster = design::cluster_of(open.space, id);
  cluster.system = open.systems[id.system];
  cluster.run->model = brief.run.model;
  cluster.run->precision = brief.precision;
  cluster.run->gpus = found.place.used;
  cluster.run->gpus_exact = true;
  cluster.prices = brief.prices;
  cluster.economics = brief.economics;
  cluster.name = fmt::format("{}-{}-{}", option.job.system.name, id.gpus,
                             name_of(topology_of(cluster.fabric)));
  cluster.title = fmt::format("{} × {} ({} GPUs), {}", grouped(nodes_of(cluster, option.node)),
                              option.node.title, grouped(id.gpus), network_words(cluster));
  return cluster;
}

DesignSummary summary_of(const OpenSpace& open, const Brief& brief, const design::Found& found) {
  const design::DesignId& id = found.place.id;
  const Workload job = design::job_of(open.space, found);
  const auto value = [&](Measure measure) { return found.judged.expected[design::at(measure)]; };
  const auto sure = [&](Measure measure) { return found.judged.confident[design::at(measure)]; };
  const Seconds run = design::iterations(open.space, id.batch) * found.time.time;
  DesignSummary summary{.cluster = cluster_file(open, brief, found),
                        .system_title = open.space.systems[id.system].job.system.title,
                        .gpus = id.gpus,
                        .used_gpus = found.place.used,
                        .plan = make_plan(job, found.time.strategy),
                        .time = run,
                        .time_range = {run, run, run},
                        .capex = found.cluster.capex,
                        .tco = found.cluster.tco,
                        .run_cost = cents(value(Measure::run_cost)),
                        .at_confidence = {.confidence = brief.confidence,
                                          .time = sure(Measure::days) * units::day,
                                          .capex = cents(sure(Measure::capex)),
                                          .tco = cents(sure(Measure::tco)),
                                          .run_cost = cents(sure(Measure::run_cost))},
                        .it = found.cluster.power.it,
                        .energy = Joules{value(Measure::energy)}};
  const Node& node = open.space.systems[id.system].node;
  summary.node_title = node.title;
  summary.nodes = nodes_of(summary.cluster, node);
  if (const auto& interval = summary.plan.interval) {
    const double iterations = design::iterations(open.space, id.batch);
    summary.time_range.low = iterations * interval->low;
    summary.time_range.high = iterations * interval->high;
  }
  if (found.cluster.power.facility) summary.facility = found.cluster.power.facility->expected;
  if (open.space.economics.grid_kg_co2_per_kwh) summary.co2_kg = value(Measure::co2);
  return summary;
}

/// A figure of the search in the unit of the brief's key; of money whole cents that hold it.
double in_words_unit(Measure measure, double figure) {
  switch (measure) {
    case Measure::tco:
    case Measure::capex:
    case Measure::run_cost:
      return std::ceil(figure) / 100;
    case Measure::power:
    case Measure::facility_power:
      return figure / 1e6;
    case Measure::days:
    case Measure::energy:
    case Measure::co2:
    case Measure::gpus:
      break;
  }
  return figure;
}

design::Control control_of(const DesignRequest& request, const Context& context) {
  using Clock = std::chrono::steady_clock;
  design::Control control;
  if (request.time_limit) {
    const auto until = Clock::now() + std::chrono::duration<double>(*request.time_limit);
    control.out_of_time = [until] { return Clock::now() >= until; };
  }
  if (context.progress) {
    control.progress = [&context](const design::DesignProgress& progress) {
      context.progress({.done = progress.done, .total = progress.total, .what = "designs"});
    };
  }
  return control;
}

void say_relaxed(const DesignAnswer& answer, Context& context) {
  std::string hint;
  for (const RelaxedLimit& relaxed : answer.relax) {
    const std::string limit = limit_words(relaxed.limit, relaxed.limited_to);
    const std::string would = relaxed.needed
                                  ? fmt::format("{} would do in place of {}",
                                                limit_words(relaxed.limit, *relaxed.needed), limit)
                                  : fmt::format("giving up {} alone would not do", limit);
    hint += (hint.empty() ? "" : "; ") + would;
  }
  context.fail(ExitCode::infeasible,
               {.code = "no-design",
                .message = answer.search.designs == 0
                               ? "there is nothing to buy: all systems are left out"
                               : fmt::format("none of {} designs is within the limits",
                                             grouped(answer.search.designs)),
                .hint = std::move(hint)});
}

void write_cluster(const DesignRequest& request, const DesignAnswer& answer, Context& context) {
  if (!request.write_cluster || !answer.best) return;
  const std::string text = catalog::to_json(answer.best->cluster).dump(2) + "\n";
  if (auto problem = json::write_file_atomically(*request.write_cluster, text)) {
    context.fail(ExitCode::bad_input, *std::move(problem));
  }
}

void check_size(const DesignRequest& request, const design::Space& space) {
  const std::int64_t designs = design::count_designs(space);
  if (!request.no_bounds || designs <= kMostLookedAt) return;
  throw UsageError(
      Diagnostic{.code = "too-large",
                 .message = fmt::format("--no-bounds looks at {} designs at most, not {}",
                                        grouped(kMostLookedAt), grouped(designs)),
                 .hint = "name systems and numbers of GPUs in a brief, or leave --no-bounds out"});
}

void tell(const design::Recommendation& found, const OpenSpace& open, DesignAnswer& answer) {
  const Brief& brief = answer.brief;
  const auto told = [&](const design::Found& one) { return summary_of(open, brief, one); };
  answer.search = found.search;
  answer.front_search = found.front_search;
  for (const design::Found& one : found.best) answer.top.push_back(told(one));
  if (!answer.top.empty()) answer.best = answer.top.front();
  for (const design::Found& one : found.front) answer.front.push_back(told(one));
  for (std::size_t i = 0; i < found.by_system.size(); ++i) {
    const auto& best = found.by_system[i];
    answer.by_system.push_back(
        {.system = open.systems[i], .best = best ? std::optional(told(*best)) : std::nullopt});
  }
  for (const design::Relaxation& one : found.relax) {
    RelaxedLimit relaxed{
        .limit = one.limit,
        .limited_to = in_words_unit(one.limit, *design::limit_of(brief.limits, one.limit))};
    if (one.design) {
      relaxed.needed = in_words_unit(one.limit, design::needed(*one.design, one.limit));
      relaxed.design = told(*one.design);
    }
    answer.relax.push_back(std::move(relaxed));
  }
}

/// What a reader should know of the best, and of how far the search came.
void remark_on(const design::Recommendation& found, const OpenSpace& open,
               const DesignAnswer& answer, Context& context) {
  if (answer.best) {
    const design::Found& best = found.best.front();
    for (const std::string& warning : open.warnings[best.place.id.system]) {
      context.warnings.push_back(warning);
    }
    job::warn_about_measured_range(design::job_of(open.space, best), answer.best->plan,
                                   context.warnings);
    if (answer.best->used_gpus < answer.best->gpus) {
      context.warnings.push_back(fmt::format("the run uses {} of the {} GPUs",
                                             grouped(answer.best->used_gpus),
                                             grouped(answer.best->gpus)));
    }
    if (!answer.brief.limits.days && answer.brief.minimise != Measure::days) {
      context.warnings.emplace_back(
          "no deadline is given: the run may take as long as it takes (--within-days)");
    }
  }
  if (is_set(context.stop)) context.fail(ExitCode::interrupted, Interrupted().diagnostics()[0]);
  if (!answer.search.proved()) {
    context.warnings.push_back(fmt::format("not proved: {} of {} designs were not reached",
                                           grouped(answer.search.not_reached),
                                           grouped(answer.search.designs)));
  } else if (!answer.best) {
    say_relaxed(answer, context);
  }
}

}  // namespace

DesignAnswer design_clusters(const DesignRequest& request, Context& context) {
  DesignAnswer answer{.brief = brief_of(request, context.catalog)};
  const OpenSpace open = open_space(answer.brief, context.catalog, context.warnings);
  answer.model_title = open.model_title;
  if (answer.brief.title.empty() || answer.brief.title == answer.brief.name) {
    answer.brief.title =
        fmt::format("{}, {} tokens", open.model_title, with_prefix(answer.brief.run.tokens));
  }
  answer.price_book = open.price_book;
  answer.price_book_notes = open.price_book_notes;
  answer.left_out = open.left_out;
  if (open.space.systems.empty()) {
    say_relaxed(answer, context);
    return answer;
  }
  check_size(request, open.space);
  design::Times times(open.space, static_cast<int>(request.threads.value_or(0)), context.stop);
  const design::Recommendation found =
      recommend(open.space, answer.brief, static_cast<std::size_t>(request.top.value_or(1)),
                request.no_bounds, times, control_of(request, context));
  tell(found, open, answer);
  remark_on(found, open, answer, context);
  write_cluster(request, answer, context);
  return answer;
}

std::string limit_words(Measure limit, double value) {
  switch (limit) {
    case Measure::tco:
      return fmt::format("a TCO of {}", present::money(*Money::from_dollars(value)).text);
    case Measure::capex:
      return fmt::format("a purchase of {}", present::money(*Money::from_dollars(value)).text);
    case Measure::run_cost:
      return fmt::format("a run of {}", present::money(*Money::from_dollars(value)).text);
    case Measure::days:
      return fmt::format("{} days", significant(value));
    case Measure::power:
      return fmt::format("{} MW of IT", significant(value));
    case Measure::facility_power:
      return fmt::format("{} MW with cooling", significant(value));
    case Measure::gpus:
      return fmt::format("{} GPUs", grouped(std::llround(value)));
    case Measure::energy:
    case Measure::co2:
      break;
  }
  return significant(value);
}

std::string network_words(const Cluster& cluster) {
  const Ratio ratio = std::visit(
      [](const auto& options) {
        if constexpr (requires { options.oversubscription; }) return options.oversubscription;
        return Ratio{};
      },
      cluster.fabric.topology);
  const std::string over =
      ratio.down > ratio.up ? fmt::format(", oversubscribed {} : {}", ratio.down, ratio.up) : "";
  return fmt::format("{}{} on {}", name_of(topology_of(cluster.fabric)), over,
                     cluster.fabric_parts.switches.value_or(
                         fmt::format("switches of {} ports", cluster.fabric.radix)));
}

Command design() {
  return erased(CommandOf<DesignRequest, DesignAnswer>{
      .name = "design",
      .summary = "what to buy, by a deadline and a budget: exactly, with a proof",
      .arguments = "BRIEF",
      .options = design_options(),
      .positional = &DesignRequest::files,
      .run = design_clusters,
      .fields = design_fields,
      .view = design_view});
}

}  // namespace planner::commands
