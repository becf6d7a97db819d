#include <fmt/format.h>

#include <algorithm>

#include "planner/report/lost_causes.hpp"
#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

constexpr int kBarWidth = 36;
constexpr std::size_t kMostComponents = 8;
constexpr double kLeastShown = 1e-9;  // a second in 30 years

/// "0.0125 %": small shares keep three digits.
std::string share_of(double share) {
  return significant(100 * share) + " %";
}

std::string points(double change) {
  return "+" + significant(100 * change) + " pt";
}

void write_waste(const ReliabilityResult& result, TerminalWriter& out) {
  std::vector<std::pair<std::string, double>> parts;
  for (const WasteCause& cause : kWasteCauses) {
    parts.emplace_back(cause_in_words(cause.name), result.goodput.waste.*cause.share);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const double largest = parts.front().second;
  if (largest <= 0) return;
  out.line();
  out.heading("  Where the rest goes", "of the time");
  for (const auto& [name, share] : parts) {
    if (share < kLeastShown) continue;
    out.line("  " + pad_right(name, 22) + pad_left(share_of(share), 10) + "  " +
             bar(share / largest, kBarWidth));
  }
}

void write_components(const ReliabilityResult& result, TerminalWriter& out) {
  struct Row {
    const Exposure* exposure;
    PerSecond rate;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < result.exposed.size(); ++i) {
    rows.push_back({&result.exposed[i], result.load.rates[i]});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.rate > b.rate; });
  std::vector<std::vector<std::string>> cells{{"what fails", "it", "every active", "per 30 days"}};
  for (std::size_t i = 0; i < std::min(rows.size(), kMostComponents); ++i) {
    const auto& [exposure, rate] = rows[i];
    if (rate <= PerSecond{}) continue;
    cells.push_back({printable(exposure->component), std::string{name_of(exposure->action)},
                     duration(Seconds{1 / rate.si()}),
                     significant(rate * (30 * units::day) / result.load.wall_per_active)});
  }
  if (cells.size() == 1) return;
  out.line();
  out.heading("  What fails");
  out.columns(cells, 2);
  if (rows.size() > kMostComponents) {
    out.line(fmt::format("  and {} more (--json)", rows.size() - kMostComponents));
  }
}

/// A bar per factor 2 around the best interval, from the worst to the best availability shown.
void write_intervals(const ReliabilityResult& result, TerminalWriter& out) {
  if (!result.advised || !result.goodput.interval) return;
  const Seconds best = result.advised->optimal;
  const Seconds middle = best > Seconds{} ? best : *result.goodput.interval;
  std::vector<IntervalPoint> shown;
  for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
    const Seconds interval = factor * middle;
    const auto found = std::find_if(
        result.by_interval.begin(), result.by_interval.end(),
        [&](const IntervalPoint& point) { return point.interval >= 0.999 * interval; });
    if (found == result.by_interval.end() || found->interval > 1.001 * interval) continue;
    shown.push_back(*found);
  }
  if (shown.empty()) return;
  out.line();
  out.heading("  Availability against the checkpoint interval");
  for (const IntervalPoint& point : shown) {
    const bool is_best = point.interval == best;
    out.line("  " + pad_right(duration(point.interval), 22) +
             pad_left(percent(point.availability), 10) + "  " + bar(point.availability, kBarWidth) +
             (is_best ? "  best" : ""));
  }
}

std::string words(Step step) {
  switch (step) {
    case Step::checkpoint_stall:
      return "stall of a checkpoint";
    case Step::checkpoint_durable:
      return "until it is durable";
    case Step::detect:
      return "detection";
    case Step::diagnose:
      return "diagnosis";
    case Step::restart:
      return "restart";
    case Step::repair:
      return "repair";
  }
  return {};
}

void write_improvements(const ReliabilityResult& result, TerminalWriter& out) {
  if (result.improve.empty()) return;
  out.line();
  out.heading("  What to improve next");
  std::vector<std::vector<std::string>> rows{{"step", "takes", "a second less", "a tenth less"}};
  for (const Improvement& step : result.improve) {
    rows.push_back(
        {words(step.step), duration(step.takes), points(step.per_second), points(step.a_tenth)});
  }
  const std::vector<double>& gains = result.fewer_failures;
  const auto most = std::max_element(gains.begin(), gains.end());
  if (most != gains.end() && *most > 0) {
    const auto i = static_cast<std::size_t>(most - gains.begin());
    rows.push_back({"failures: " + printable(result.job.rates.components[i].component), "", "",
                    points(*most)});
  }
  out.columns(rows, 2);
}

void write_days(const ReliabilityResult& result, TerminalWriter& out) {
  if (!result.days) return;
  const RunDays& days = *result.days;
  out.line(
      fmt::format("  {} days without failures, {} on average, {} in 95 of 100 runs; {} "
                  "failures",
                  significant(days.ideal.in(units::day)), significant(days.mean.in(units::day)),
                  significant(days.p95.in(units::day)), significant(days.failures)));
}

std::string dollars(Usd amount) {
  return "$" + with_prefix(amount.in(units::usd));
}

void write_money(const ReliabilityResult& result, TerminalWriter& out) {
  if (!result.money) return;
  std::string line = "  " + dollars(result.money->per_failure) + " a failure";
  if (result.money->mean) {
    line += fmt::format("; the run {} ideally, {} on average, {} in 95 of 100",
                        dollars(*result.money->ideal), dollars(*result.money->mean),
                        dollars(*result.money->p95));
  }
  out.line(line);
}

std::string checkpoints(const ReliabilityResult& result) {
  if (!result.goodput.interval) return "no failure, no checkpoints";
  const bool optimal = !result.job.checkpoint.interval;
  std::string text =
      fmt::format("a checkpoint every {}{}, {} each", duration(*result.goodput.interval),
                  optimal ? " (optimal)" : "", duration(result.job.checkpoint.stall));
  if (result.job.checkpoint.durable > Seconds{}) {
    text += fmt::format(", durable after {}", duration(result.job.checkpoint.durable));
  }
  return text + fmt::format("; {} to recover", duration(result.load.recovery()));
}

}  // namespace

void write_reliability(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<ReliabilityResult>(response.result);
  const FailureLoad& load = result.load;
  out.line(
      bold(fmt::format("{} GPU{} with the failures of {}", grouped(result.job.counts.gpus),
                       result.job.counts.gpus == 1 ? "" : "s", printable(result.job.rates.title)),
           out.style()));
  out.line();
  const std::string between =
      load.rate > PerSecond{}
          ? fmt::format("a failure every {}",
                        duration(Seconds{load.wall_per_active / load.rate.si()}))
          : "no failure stops the job";
  out.line(
      "  " +
      bold(percent(result.goodput.availability) + " of the time is work that stays", out.style()) +
      "   " + between);
  out.paragraph(checkpoints(result), 2);
  write_days(result, out);
  write_money(result, out);
  if (load.p_spares_ok) {
    out.line(fmt::format("  {} spare nodes suffice with a probability of {}",
                         grouped(result.job.spares->spares), percent(*load.p_spares_ok)) +
             (result.spares_for_99 ? fmt::format("; 99 % takes {}", grouped(*result.spares_for_99))
                                   : ""));
  }
  write_waste(result, out);
  write_components(result, out);
  write_intervals(result, out);
  write_improvements(result, out);
  if (!result.assumed.empty()) {
    out.line();
    out.paragraph(
        fmt::format("Assumed, or as in the rates: --{}.", fmt::join(result.assumed, ", --")), 2);
  }
}

}  // namespace planner
