#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "planner/catalog/documents.hpp"
#include "planner/commands/design/state.hpp"
#include "planner/commands/design/together.hpp"
#include "planner/commands/options/currency.hpp"
#include "planner/core/real.hpp"
#include "planner/cost/cluster_parts.hpp"
#include "planner/cost/opex.hpp"
#include "planner/domain/names.hpp"
#include "planner/job/cluster.hpp"
#include "planner/job/network_left.hpp"
#include "planner/job/workload.hpp"
#include "planner/json/output.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

/// That --no-bounds looks at one by one.
constexpr std::int64_t kMostLookedAt = 15'000;

/// Why there is no design: limits are blamed only where there are any.
std::string none_words(const DesignAnswer& answer) {
  const design::Certificate& search = answer.search;
  if (search.designs == 0) return "there is nothing to buy: all systems are left out";
  std::string words =
      fmt::format("none of {} designs {}", grouped(search.designs),
                  answer.brief.limits == BriefLimits{} ? "can be ranked" : "is within the limits");
  if (search.lacks) {
    words +=
        fmt::format("; {} without a price or power: {}", grouped(search.unpriced), *search.lacks);
  }
  return words;
}

/// What owning is judged by, where money costs something or is taxed.
std::optional<std::string> judged_by(const Economics& economics) {
  const Financed money{.cost_of_capital = economics.cost_of_capital.value_or(0),
                       .tax_rate = economics.tax_rate.value_or(0)};
  if (money.cost_of_capital <= 0 && money.tax_rate <= 0) return std::nullopt;
  return present_cost_words(money);
}

void say_relaxed(const DesignAnswer& answer, Context& context) {
  std::string hint;
  for (const RelaxedLimit& relaxed : answer.relax) {
    const std::string limit = limit_words(relaxed.limit, relaxed.limited_to, answer.judged_by);
    const std::string would =
        relaxed.needed
            ? fmt::format("{} would do in place of {}",
                          enough_words(relaxed.limit, *relaxed.needed, answer.judged_by), limit)
            : fmt::format("giving up {} alone would not do", limit);
    hint += (hint.empty() ? "" : "; ") + would;
  }
  context.fail(ExitCode::infeasible,
               {.code = "no-design", .message = none_words(answer), .hint = std::move(hint)});
}

/// Whether the time is over that the request gives.
std::function<bool()> late(const DesignRequest& request) {
  using Clock = std::chrono::steady_clock;
  if (!request.time_limit) return {};
  const auto until = Clock::now() + std::chrono::duration<double>(*request.time_limit);
  return [until] { return Clock::now() >= until; };
}

/// GPUs that a run has no use for.
void say_idle(const DesignSummary& best, Context& context) {
  const auto say = [&](const std::string& run, std::int64_t used) {
    if (used == best.gpus) return;
    context.warnings.push_back(
        fmt::format("{} uses {} of the {} GPUs", run, grouped(used), grouped(best.gpus)));
  };
  if (best.runs.empty()) say("the run", best.used_gpus);
  for (const RunSummary& run : best.runs) say(run.name, run.used_gpus);
}

void add_once(const std::vector<std::string>& more, std::vector<std::string>& warnings) {
  for (const std::string& one : more) {
    if (std::find(warnings.begin(), warnings.end(), one) == warnings.end()) {
      warnings.push_back(one);
    }
  }
}

/// A brief's search as it goes, and what becomes of it.
class Searching {
 public:
  Searching(const DesignRequest& request, const OpenSpace& open, DesignAnswer& answer,
            Context& context)
      : request_(request),
        open_(open),
        answer_(answer),
        context_(context),
        together_(context.peers, context.stop, late(request)),
        times_(open.space, static_cast<int>(request.threads.value_or(0)), together_.stop(),
               together_.team()),
        control_(together_.control()) {
    if (context.progress) {
      control_.progress = [this](const design::DesignProgress& progress) {
        told_ = fmt::format("designs ({})", progress_words(progress));
        context_.progress({.done = progress.done, .total = progress.total, .what = told_.c_str()});
      };
    }
    if (!request.state) return;
    state_.emplace(*request.state, fingerprint(answer.brief, open), answer.brief.name);
    state_->add(together_.from_first([this] { return kept_text(); }), times_);
    if (together_.first()) control_.between = [this] { state_->keep_now_and_then(times_.made()); };
  }
  Searching(const Searching&) = delete;
  Searching& operator=(const Searching&) = delete;

  void run() {
    try {
      search();
    } catch (const PeerLost&) {
      keep();
      throw;
    }
    keep();
  }

 private:
  void search();
  void tell_winning_prices(const design::Recommendation& found);
  void tell_rents();
  void remark_on(const design::Recommendation& found, bool asked_to_end);
  void write_cluster();

  /// What was learnt before. Whether there is a place for it is found out at once.
  std::string kept_text() {
    std::string text = state_->text();
    if (!text.empty()) return text;
    if (auto problem = state_->keep(times_.made())) throw InputError(*std::move(problem));
    return text;
  }

  /// What was learnt, for the next time.
  void keep() {
    if (!state_ || !together_.first()) return;
    if (auto problem = state_->keep(times_.made())) {
      context_.fail(ExitCode::bad_input, *std::move(problem));
    }
  }

  const DesignRequest& request_;
  const OpenSpace& open_;
  DesignAnswer& answer_;
  Context& context_;
  Together together_;
  design::Times times_;
  design::Control control_;
  std::optional<StateFile> state_;
  std::string told_;  ///< of its progress
};

void Searching::write_cluster() {
  if (!request_.write_cluster || !answer_.best || !together_.first()) return;
  for (const std::string& note : answer_.best->cluster.notes) {
    context_.warnings.push_back(fmt::format("{}: {}", *request_.write_cluster, note));
  }
  const std::string text = catalog::to_json(answer_.best->cluster).dump(2) + "\n";
  if (auto problem = json::write_file_atomically(*request_.write_cluster, text)) {
    context_.fail(ExitCode::bad_input, *std::move(problem));
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
void Searching::tell_winning_prices(const design::Recommendation& found) {
  if (found.best.empty() || !design::in_money(answer_.brief.minimise)) return;
  const design::Question question = design::question_of(answer_.brief, 1);
  const double to_beat = figure(found.best.front().judged, question.goals.front());
  for (const UnpricedSystem& system : open_.unpriced) {
    design::Space alone = open_.space;
    alone.systems = {system.option};
    design::Times own(alone, times_.threads(), times_.stop(), together_.team());
    design::Learnt learnt(alone, question.confidence);
    const auto price = winning_price(alone, 0, question, nullptr, to_beat, own, control_, learnt);
    for (LeftOut& one : answer_.left_out) {
      if (one.name == system.name) one.wins_below = price;
    }
  }
}

/// What a reader should know of the best, and of how far the search came.
/// @param asked_to_end  whether the time was enough for what follows from the best
void Searching::remark_on(const design::Recommendation& found, bool asked_to_end) {
  if (answer_.best) {
    const design::Found& best = found.best.front();
    for (const std::string& warning : open_.warnings[best.place.id.system]) {
      context_.warnings.push_back(warning);
    }
    if (const auto& ports = best.cluster.network.ports) {
      const design::SystemOption& option = open_.space.systems[best.place.id.system];
      context_.warnings.push_back(job::slow_ports(*ports, option.system().network_bandwidth));
    }
    for (const design::BestTime& time : best.times) {
      const Workload job = design::job_of(open_.space, best.place.id, best.cluster, time);
      std::vector<std::string> of_run;
      job::warn_about_measured_range(job, make_plan(job, time.strategy), of_run);
      add_once(of_run, context_.warnings);
    }
    say_idle(*answer_.best, context_);
    if (!answer_.brief.limits.days && answer_.brief.minimise != Measure::days) {
      context_.warnings.emplace_back(
          "no deadline is given: the run may take as long as it takes (--within-days)");
    }
  }
  if (together_.stopped()) context_.fail(ExitCode::interrupted, Interrupted().diagnostics()[0]);
  if (!answer_.search.proved()) {
    const std::optional<double>& gap = answer_.search.gap;
    context_.warnings.push_back(fmt::format(
        "not proved: {} of {} designs were not reached{}", grouped(answer_.search.not_reached),
        grouped(answer_.search.designs),
        gap ? fmt::format("; none of them is better by more than {}", percent(*gap)) : ""));
  } else if (answer_.front_search && !answer_.front_search->proved()) {
    context_.warnings.push_back(fmt::format(
        "the front is not proved: {} of {} designs were not reached",
        grouped(answer_.front_search->not_reached), grouped(answer_.front_search->designs)));
  } else {
    if (!answer_.best) say_relaxed(answer_, context_);
    if (!asked_to_end) {
      context_.warnings.emplace_back("what would change it was not asked to the end");
    }
  }
}

/// What it takes to rent in the place of buying.
void Searching::tell_rents() {
  const design::Question question = design::question_of(answer_.brief, 1);
  const std::vector<design::Rented> rents = rented(open_.space, question, times_, control_);
  for (const design::Rented& one : rents) answer_.rent.push_back(told_rent(one, open_));
  if (!answer_.best || rents.empty()) return;
  const auto pays = design::buying_pays(
      open_.space.economics, answer_.best->time, answer_.best->owning().expected,
      design::cheapest_rent(open_.space, question, times_, control_));
  if (pays) answer_.buying_pays = told_buying(*pays, open_);
}

void Searching::search() {
  const design::Recommendation found =
      recommend(open_.space, answer_.brief, static_cast<std::size_t>(request_.top.value_or(1)),
                request_.no_bounds, times_, control_);
  tell(found, open_, answer_, context_);
  bool asked_to_end = found.asked_to_end;
  if (!request_.no_bounds && found.search.proved()) {
    try {
      tell_winning_prices(found);
      tell_rents();
    } catch (const Interrupted&) {
      asked_to_end = false;
    }
  }
  remark_on(found, asked_to_end);
  write_cluster();
}

}  // namespace

DesignAnswer design_clusters(const DesignRequest& request, Context& context) {
  const std::optional<catalog::CatalogFile> file = brief_file(request, context.catalog);
  DesignAnswer answer{.brief = brief_of(request, file, context.catalog)};
  // With others no process ends a question in its middle: see Together.
  const OpenSpace open = open_space(answer.brief, file, context.catalog, context.warnings,
                                    context.peers == nullptr ? context.stop : nullptr);
  show_in(open.space.economics.shown_in, context);
  answer.model_title = fmt::format("{}", fmt::join(open.model_titles, ", then "));
  if (answer.brief.title.empty() || answer.brief.title == answer.brief.name) {
    answer.brief.title.clear();
    for (std::size_t run = 0; run < open.model_titles.size(); ++run) {
      answer.brief.title +=
          fmt::format("{}{}, {} tokens", run == 0 ? "" : ", then ", open.model_titles[run],
                      with_prefix(open.space.tokens[run]));
    }
  }
  answer.price_book = open.price_book;
  answer.price_book_notes = open.price_book_notes;
  answer.left_out = open.left_out;
  answer.opex_left_out = items_left_out(open.space.economics);
  answer.judged_by = judged_by(open.space.economics);
  if (open.space.systems.empty()) {
    say_relaxed(answer, context);
    return answer;
  }
  check_size(request, open.space);
  Searching(request, open, answer, context).run();
  return answer;
}

namespace {

/// "a total cost of ownership of $2 M", "a net present cost, at 9 % a year, of $2 M".
std::string owning_of(const std::string& amount, const std::optional<std::string>& judged_by) {
  return judged_by ? fmt::format("a {}, of {}", *judged_by, amount)
                   : fmt::format("a {} of {}", kTotalCost, amount);
}

}  // namespace

std::string limit_words(Measure limit, double value, const std::optional<std::string>& judged_by) {
  switch (limit) {
    case Measure::tco:
      return owning_of(present::money(*Money::from_dollars(value)).text, judged_by);
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

std::string enough_words(Measure limit, double value, const std::optional<std::string>& judged_by) {
  const auto up = [&](double step) { return std::ceil(value / step - 1e-9) * step; };
  const auto dollars = [&] { return present::dollars(*Money::from_dollars(up(1))).text; };
  switch (limit) {
    case Measure::tco:
      return owning_of(dollars(), judged_by);
    case Measure::capex:
      return "a purchase of " + dollars();
    case Measure::run_cost:
      return "a run of " + dollars();
    case Measure::days:
      return fmt::format("{:.2f} days", up(0.01));
    case Measure::power:
      return fmt::format("{:.3f} MW of IT", up(0.001));
    case Measure::facility_power:
      return fmt::format("{:.3f} MW with cooling", up(0.001));
    case Measure::gpus:
    case Measure::energy:
    case Measure::co2:
      break;
  }
  return limit_words(limit, value, judged_by);
}

Command design() {
  return erased(CommandOf<DesignRequest, DesignAnswer>{
      .name = "design",
      .summary = "what to buy, by a deadline and a budget: exactly, with a proof",
      .arguments = "BRIEF",
      .shows_money = true,
      .shared = true,
      .options = design_options(),
      .positional = &DesignRequest::files,
      .run = design_clusters,
      .fields = design_fields,
      .view = design_view});
}

}  // namespace planner::commands
