#include "planner/report/table_forecast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/core/printable.hpp"
#include "planner/report/lost_causes.hpp"

namespace planner {

namespace {

constexpr int kBarWidth = 28;
constexpr double kLeastShown = 5e-4;  // prints as 0.1 %

std::string dollars(const Estimate<Usd>& amount, bool at_least) {
  const double value = amount.expected.in(units::usd);
  return (at_least ? "≥ $" : "$") + (value < 1e6 ? significant(value) : with_prefix(value));
}

std::string days(Seconds time) {
  return significant(time.in(units::day)) + " days";
}

/// "ecmp-qp, 4 queue pairs; failures of …": what the expectation rests on.
std::string basis(const Forecast& forecast) {
  std::string text;
  if (forecast.routing) {
    const Routing& routing = forecast.routing->routing;
    text = fmt::format("routing {}", name_of(routing.scheme));
    if (routing.qps > 1) text += fmt::format(", {} queue pairs", routing.qps);
    if (routing.striping == Striping::adaptive) text += " striped adaptively";
  }
  if (forecast.sharing) text += text.empty() ? "storage" : "; storage";
  if (forecast.reliability) {
    text += (text.empty() ? "" : "; ") + ("failures of " + forecast.reliability->job.rates.name);
  }
  return printable(text);
}

/// What the 95th of 100 runs is the 95th by.
const char* p95_name(const ExpectedRun& run) {
  if (!run.paths_vary) return "95 of 100 runs, by their failures, within";
  return run.failures_vary ? "95 of 100 runs, by failures and hashed paths, within"
                           : "95 of 100 draws of hashed paths, within";
}

/// The days and dollars of this plan.
void write_run(const Forecast& forecast, TerminalWriter& out) {
  const ExpectedRun& run = *forecast.run;
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* name, Seconds time, const Estimate<Usd>* cost) {
    rows.push_back(
        {name, days(time), cost != nullptr ? dollars(*cost, forecast.cost->at_least) : ""});
  };
  const ExpectedCost* cost = forecast.cost ? &*forecast.cost : nullptr;
  add("ideal: this plan, balanced links, no failure", run.ideal, cost ? &cost->ideal : nullptr);
  add("expected, on average", run.mean, cost ? &cost->mean : nullptr);
  if (run.failures_vary || run.paths_vary) {
    add(p95_name(run), run.p95, cost ? &cost->p95 : nullptr);
  }
  if (run.guaranteed) {
    add("at most on average, by the traffic class", *run.guaranteed,
        cost ? &*cost->guaranteed : nullptr);
  }
  out.columns(rows, 2);
}

/// Largest loss first.
void write_lost(const ExpectedRun& run, TerminalWriter& out) {
  std::vector<LostTime> lost = run.lost;
  std::stable_sort(lost.begin(), lost.end(),
                   [](const LostTime& a, const LostTime& b) { return a.time > b.time; });
  const Seconds most = lost.front().time;
  if (most <= Seconds{}) return;
  out.line();
  out.heading("  Time lost", "of the calendar");
  std::vector<std::vector<std::string>> rows;
  for (const LostTime& one : lost) {
    if (one.time < kLeastShown * run.mean) continue;
    rows.push_back({cause_in_words(one.cause), bar(one.time / most, kBarWidth), days(one.time),
                    percent(one.time / run.mean)});
  }
  out.columns(rows, 2);
}

/// A run of unknown length: what a step and an hour are worth.
void write_shares(const Forecast& forecast, TerminalWriter& out) {
  if ((forecast.routing || forecast.sharing) && forecast.iteration) {
    const IterationTimes& times = *forecast.iteration;
    out.paragraph(fmt::format("{} per iteration, {} on balanced links{}", duration(times.expected),
                              duration(times.ideal), forecast.sharing ? " without storage" : ""),
                  2);
    if (times.guaranteed) {
      out.paragraph(fmt::format("{} at most, by the traffic class", duration(*times.guaranteed)),
                    2);
    }
  }
  if (forecast.reliability) {
    out.paragraph(fmt::format("{} of the time is work that stays; --tokens gives days",
                              percent(forecast.reliability->goodput.availability)),
                  2);
  }
}

}  // namespace

void write_forecast(const std::optional<Forecast>& forecast, TerminalWriter& out) {
  if (!forecast) return;
  out.line();
  out.heading("  What to expect", basis(*forecast));
  if (!forecast->run) {
    write_shares(*forecast, out);
    return;
  }
  write_run(*forecast, out);
  write_lost(*forecast->run, out);
}

}  // namespace planner
