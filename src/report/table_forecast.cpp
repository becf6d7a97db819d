#include "planner/report/table_forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
    text = fmt::format("routing {}", to_string(routing.scheme));
    if (routing.qps > 1) text += fmt::format(", {} queue pairs", routing.qps);
  }
  if (forecast.reliability) {
    text += (text.empty() ? "" : "; ") + ("failures of " + forecast.reliability->job.rates.name);
  }
  return printable(text);
}

/// The days and dollars of this plan. Failures vary; the time of an iteration does not.
void write_run(const Forecast& forecast, bool at_least, TableWriter& out) {
  const ExpectedRun& run = *forecast.run;
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const char* name, Seconds time, auto cost) {
    rows.push_back(
        {name, days(time), forecast.cost ? dollars((*forecast.cost).*cost, at_least) : ""});
  };
  add("ideal: this plan, balanced links, no failure", run.ideal, &ExpectedCost::ideal);
  add("expected, on average", run.mean, &ExpectedCost::mean);
  if (forecast.reliability) {
    add("95 of 100 runs, by their failures, within", run.p95, &ExpectedCost::p95);
  }
  out.columns(rows, 2);
}

/// Largest loss first.
void write_lost(const ExpectedRun& run, TableWriter& out) {
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
void write_shares(const Forecast& forecast, TableWriter& out) {
  if (forecast.routing && forecast.iteration) {
    out.paragraph(fmt::format("{} per iteration, {} on balanced links",
                              duration(*forecast.iteration), duration(*forecast.ideal_iteration)),
                  2);
  }
  if (forecast.reliability) {
    out.paragraph(fmt::format("{} of the time is work that stays; --tokens gives days",
                              percent(forecast.reliability->goodput.availability)),
                  2);
  }
}

}  // namespace

std::string cause_in_words(std::string_view cause) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{
      {{"routing", "uneven links"},
       {"checkpoint", "checkpoints"},
       {"lost", "lost work"},
       {"detect", "detection"},
       {"diagnose", "diagnosis"},
       {"restart", "restart"},
       {"spare_wait", "waiting for a spare"},
       {"degraded", "slowed or stalled"}}};
  const auto found = std::find_if(kWords.begin(), kWords.end(),
                                  [&](const auto& entry) { return entry.first == cause; });
  return std::string{found == kWords.end() ? cause : found->second};
}

void write_forecast(const std::optional<Forecast>& forecast, bool at_least, TableWriter& out) {
  if (!forecast) return;
  out.line();
  out.heading("  What to expect", basis(*forecast));
  if (!forecast->run) {
    write_shares(*forecast, out);
    return;
  }
  write_run(*forecast, at_least, out);
  write_lost(*forecast->run, out);
}

}  // namespace planner
