#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/options/currency.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/workload.hpp"
#include "planner/json/output.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// That --no-bounds looks at one by one.
constexpr std::int64_t kMostLookedAt = 15'000;

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

/// At which price of their node the systems that have none would be the best.
void tell_winning_prices(const OpenSpace& open, const design::Recommendation& found,
                         const design::Times& times, const design::Control& control,
                         DesignAnswer& answer) {
  if (found.best.empty() || !found.search.proved() || !design::in_money(answer.brief.minimise))
    return;
  const design::Question question = design::question_of(answer.brief, 1);
  const double to_beat = figure(found.best.front().judged, question.goals.front());
  for (const UnpricedSystem& system : open.unpriced) {
    design::Space alone = open.space;
    alone.systems = {system.option};
    design::Times own(alone, times.threads(), times.stop());
    const auto price = winning_price(alone, question, to_beat, own, control);
    for (LeftOut& one : answer.left_out) {
      if (one.name == system.name) one.wins_below = price;
    }
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
    job::warn_about_measured_range(
        design::job_of(open.space, best.place.id, best.cluster, best.time), answer.best->plan,
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
  const OpenSpace open = open_space(answer.brief, context.catalog, context.warnings, context.stop);
  show_in(open.space.economics.shown_in, context);
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
  const design::Control control = control_of(request, context);
  const design::Recommendation found =
      recommend(open.space, answer.brief, static_cast<std::size_t>(request.top.value_or(1)),
                request.no_bounds, times, control);
  tell(found, open, answer, context);
  if (!request.no_bounds) tell_winning_prices(open, found, times, control, answer);
  if (!request.no_bounds && found.search.proved()) {
    const design::Question question = design::question_of(answer.brief, 1);
    for (const design::Rented& one : rented(open.space, question, times, control)) {
      answer.rent.push_back(told_rent(one, open));
    }
  }
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
      .shows_money = true,
      .options = design_options(),
      .positional = &DesignRequest::files,
      .run = design_clusters,
      .fields = design_fields,
      .view = design_view});
}

}  // namespace planner::commands
