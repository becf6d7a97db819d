#include "planner/commands/parts/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

constexpr const char* kFailures = "failures";
constexpr const char* kHashedPaths = "hashed_paths";

bool varies_by(const ForecastSummary& forecast, const char* what) {
  return forecast.varies && std::find(forecast.varies->begin(), forecast.varies->end(), what) !=
                                forecast.varies->end();
}

Cell dollars(Usd amount, bool at_least) {
  return present::at_least(at_least, usd(Estimate<Usd>::exactly(amount)));
}

/// "routing ecmp-qp, 4 queue pairs; failures of …": what the expectation rests on.
std::string basis(const ForecastSummary& forecast) {
  std::string text;
  if (forecast.routing) {
    const RoutingSummary& routing = *forecast.routing;
    text = fmt::format("routing {}", name_of(routing.scheme));
    if (routing.qps > 1) text += fmt::format(", {} queue pairs", routing.qps);
    if (routing.striping == Striping::adaptive) text += " striped adaptively";
  }
  if (forecast.sharing) text += text.empty() ? "storage" : "; storage";
  if (forecast.failures) {
    const FailureInputs& inputs = forecast.failures->inputs;
    text += (text.empty() ? "" : "; ") + ("failures of " + inputs.rates.name);
    if (inputs.spares && inputs.spares->spare_trays > 0) {
      text += fmt::format(", {} of {} trays spare in each {} GPUs", inputs.spares->spare_trays,
                          inputs.spares->unit_trays, inputs.spares->unit_gpus);
    }
  }
  return text;
}

/// What the 95th of 100 runs is the 95th by.
const char* p95_name(const ForecastSummary& forecast) {
  if (!varies_by(forecast, kHashedPaths)) return "95 of 100, if only the luck of failures varies";
  return varies_by(forecast, kFailures) ? "95 of 100, if only failures and paths vary"
                                        : "95 of 100, if only hashed paths vary";
}

/// What nothing is lost of is ideal only where its links are.
const char* without_failures_name(const ForecastSummary& forecast) {
  return forecast.links == LinkLoad::all_at_once ? "this plan, all GPUs sending at once, no failure"
                                                 : "ideal: this plan, balanced links, no failure";
}

/// The days and dollars of this plan.
void add_run(const ForecastSummary& forecast, Document& document) {
  const ForecastSummary::Days& days = *forecast.days;
  const auto& cost = forecast.cost;
  Table table;
  const auto add = [&](const char* name, Seconds time, const std::optional<Usd>& amount) {
    const bool bound = stall_unknown(forecast) && time != days.ideal;
    std::vector<Cell> cells{words(name), said_in_days(time, bound)};
    if (cost) cells.push_back(amount ? dollars(*amount, cost->at_least || bound) : unknown());
    table.add(std::move(cells));
  };
  const auto paid = [&](auto member) {
    return cost ? std::optional<Usd>((*cost).*member) : std::nullopt;
  };
  using C = ForecastSummary::Cost;
  add(without_failures_name(forecast), days.ideal, paid(&C::ideal));
  const bool varies = varies_by(forecast, kFailures) || varies_by(forecast, kHashedPaths);
  add(varies ? "on average, all else as expected" : "expected", days.mean, paid(&C::mean));
  if (varies) add(p95_name(forecast), days.p95, paid(&C::p95));
  if (days.guaranteed) {
    add("at most on average, by the traffic class", *days.guaranteed,
        cost ? cost->guaranteed : std::nullopt);
  }
  document.add(std::move(table));
}

/// Largest loss first.
void add_lost(const ForecastSummary& forecast, Document& document) {
  constexpr int kBarWidth = 28;
  constexpr double kLeastShown = 5e-4;  // prints as 0.1 %
  if (!forecast.lost || forecast.lost->empty()) return;
  auto lost = *forecast.lost;
  std::stable_sort(lost.begin(), lost.end(),
                   [](const LostTime& a, const LostTime& b) { return a.time > b.time; });
  const Seconds most = lost.front().time;
  if (most <= Seconds{}) return;
  document.add(Section{"Time lost", "of the calendar"});
  Table shown, plain{.header = {"cause", "time", "share of the calendar"}};
  for (const auto& [cause, time] : lost) {
    const Cell name = words(std::string{names_of(cause).words});
    const Cell part = share(forecast.lost_share(cause).value_or(0));
    plain.add({name, said_in_days(time), part});
    if (time < kLeastShown * forecast.days->mean) continue;
    shown.add({name, words(bar(time / most, kBarWidth)), said_in_days(time), part});
  }
  document.blocks.push_back({std::move(shown), Where::terminal});
  document.detail(std::move(plain));
}

/// A run of unknown length: what a step and an hour are worth.
void add_shares(const ForecastSummary& forecast, Document& document) {
  if ((forecast.routing || forecast.sharing) && forecast.iteration) {
    const ForecastSummary::Iteration& times = *forecast.iteration;
    const bool at_once = forecast.links == LinkLoad::all_at_once;
    const std::string links = at_once ? "with all GPUs sending at once" : "on balanced links";
    document.add(
        Figures{.figures = {{"iteration", present::time(times.routed), "{} per iteration,"},
                            {"iteration " + links, present::time(times.ideal),
                             "{} " + links + (forecast.sharing ? " without storage" : "")}},
                .separator = " "});
    if (times.guaranteed) {
      document.add(Figures{
          .figures = {{"iteration, at most, by the traffic class", present::time(*times.guaranteed),
                       "{} at most, by the traffic class"}}});
    }
  }
  if (forecast.failures) {
    document.add(
        Figures{.figures = {{"work that stays", share(forecast.failures->summary.availability),
                             stall_unknown(forecast)
                                 ? "at most {} of the time is work that stays; --tokens gives days"
                                 : "{} of the time is work that stays; --tokens gives days"}}});
  }
}

}  // namespace

bool stall_unknown(const ForecastSummary& forecast) {
  return forecast.failures && forecast.failures->inputs.stall_range;
}

Cell said_in_days(Seconds time, bool at_least) {
  return present::at_least(at_least, said(present::days(time), in_days(time) + " days"));
}

std::optional<double> ForecastSummary::lost_share(LostCause cause) const {
  if (!lost || !days || days->mean <= Seconds{}) return std::nullopt;
  for (const LostTime& one : *lost) {
    if (one.cause == cause) return one.time.in(units::day) / days->mean.in(units::day);
  }
  return std::nullopt;
}

ForecastSummary summary_of(const job::Forecast& forecast) {
  ForecastSummary summary{.links = forecast.links, .sharing = forecast.sharing};
  if (const auto& times = forecast.iteration) {
    summary.iteration =
        ForecastSummary::Iteration{times->ideal, times->expected, times->guaranteed};
  }
  if (const auto& run = forecast.run) {
    summary.days = ForecastSummary::Days{run->ideal, run->routed, run->mean,
                                         run->p50,   run->p95,    run->guaranteed};
    summary.varies.emplace();
    if (run->failures_vary) summary.varies->emplace_back(kFailures);
    if (run->paths_vary) summary.varies->emplace_back(kHashedPaths);
    summary.lost = run->lost;
  }
  if (const auto& cost = forecast.cost) {
    summary.cost = ForecastSummary::Cost{.ideal = cost->ideal.expected,
                                         .mean = cost->mean.expected,
                                         .p95 = cost->p95.expected,
                                         .range = cost->mean,
                                         .at_least = cost->at_least};
    if (cost->guaranteed) summary.cost->guaranteed = cost->guaranteed->expected;
  }
  if (forecast.routing) summary.routing = summary_of(*forecast.routing);
  if (forecast.reliability) {
    summary.failures = ForecastSummary::Failures{summary_of(*forecast.reliability),
                                                 inputs_of(*forecast.reliability)};
  }
  return summary;
}

void add_ranges(const job::Outlook& outlook, ForecastSummary& forecast) {
  if (forecast.days && outlook.days) forecast.days_range = outlook.days->range;
  if (forecast.cost && outlook.cost) forecast.cost_range = outlook.cost->range;
}

void add_forecast(const ForecastSummary& forecast, Document& document) {
  document.add(Section{"What to expect", basis(forecast)});
  if (!forecast.days) return add_shares(forecast, document);
  add_run(forecast, document);
  add_lost(forecast, document);
}

std::vector<SweepFigure> forecast_figures(const ForecastSummary& forecast,
                                          const std::optional<job::Outlook>& outlook) {
  if (!forecast.days) return {};
  const auto days = [](Seconds time) { return number(time.in(units::day)); };
  std::vector<SweepFigure> figures{{"days_expected", "days expected", days(forecast.days->mean)}};
  if (outlook && outlook->days) {
    figures.push_back({"days_p95", "days in 95 of 100 runs", days(outlook->days->p95)});
  }
  return figures;
}

ChartedRun charted(const ForecastSummary& forecast, const std::optional<job::Outlook>& outlook,
                   std::string name) {
  return {.name = std::move(name),
          .forecast = &forecast,
          .routing = forecast.routing ? &*forecast.routing : nullptr,
          .failures = forecast.failures ? &forecast.failures->summary : nullptr,
          .outlook = outlook ? &*outlook : nullptr};
}

}  // namespace planner::commands
