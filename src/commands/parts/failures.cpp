#include "planner/commands/parts/failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/parts/assumed.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

constexpr Seconds kMonth = 30 * units::day;
constexpr int kBarWidth = 36;
constexpr double kLeastShown = 1e-9;  // a second in 30 years

/// Mean time between failures at a rate; nothing for none.
std::optional<double> hours_between(PerSecond rate) {
  if (rate <= PerSecond{}) return std::nullopt;
  return 1 / (rate * units::hour);
}

FailureSummary::Days days_of(const RunDays& days) {
  FailureSummary::Days told{days.ideal, days.mean, days.p50, days.p95};
  constexpr int kSteps = 50;
  for (int i = 0; i <= kSteps; ++i) {
    const double p = 0.001 + 0.998 * i / kSteps;
    told.distribution.emplace_back(days.quantile(p).in(units::day), p);
  }
  return told;
}

/// "+0.0125 pt": small shares keep three digits.
Cell points(double change) {
  return said(number(100 * change, "pt"), "+" + significant(100 * change) + " pt");
}

void add_waste(const FailureSummary& failures, Document& document) {
  std::vector<std::pair<std::string, double>> parts;
  for (const WasteCause& cause : kWasteCauses) {
    parts.emplace_back(names_of(cause.cause).words, failures.waste.*cause.share);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const double largest = parts.front().second;
  if (largest <= 0) return;
  document.add(Section{"Where the rest goes", "of the time"});
  Facts facts;
  for (const auto& [name, part] : parts) {
    if (part < kLeastShown) continue;
    const Cell cell = said(share(part), significant(100 * part) + " %");
    document.blocks.push_back({Text{.text = pad_right(name, 22) + pad_left(cell.text, 10) + "  " +
                                            bar(part / largest, kBarWidth),
                                    .wrap = false},
                               Where::terminal});
    facts.facts.push_back({name, cell});
  }
  document.detail(std::move(facts));
}

void add_components(const FailureSummary& failures, Document& document) {
  constexpr std::size_t kMost = 8;
  std::vector<FailureSummary::Component> rows = failures.components;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.hours_between.value_or(HUGE_VAL) < b.hours_between.value_or(HUGE_VAL);
  });
  const auto table_of = [&](std::size_t most) {
    Table table{.header = {"what fails", "it", "every active", "per 30 days"}};
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
      if (!rows[i].hours_between) continue;
      table.add({words(rows[i].name), words(std::string{name_of(rows[i].action)}),
                 present::time(*rows[i].hours_between * units::hour), number(rows[i].per_month)});
    }
    return table;
  };
  const Table all = table_of(rows.size());
  if (all.rows.empty()) return;
  document.add(Section{"What fails"});
  document.blocks.push_back({table_of(kMost), Where::terminal});
  document.detail(all);
  if (rows.size() > kMost) {
    document.blocks.push_back(
        {Text{.text = fmt::format("and {} more (--json)", rows.size() - kMost), .wrap = false},
         Where::terminal});
  }
}

/// A bar per factor 2 around the best interval.
void add_intervals(const FailureSummary& failures, Document& document) {
  if (!failures.advised || !failures.interval) return;
  const Seconds best = failures.advised->optimal;
  const Seconds middle = best > Seconds{} ? best : *failures.interval;
  const std::vector<job::IntervalPoint>& points = failures.by_interval;
  Table table{.header = {"interval", "availability", ""}};
  std::vector<Text> lines;
  for (const double factor : {0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
    const Seconds interval = factor * middle;
    const auto found = std::find_if(points.begin(), points.end(), [&](const auto& point) {
      return point.interval >= 0.999 * interval;
    });
    if (found == points.end() || found->interval > 1.001 * interval) continue;
    const char* const best_one = found->interval == best ? "best" : "";
    lines.push_back({.text = pad_right(duration(found->interval), 22) +
                             pad_left(percent(found->availability), 10) + "  " +
                             bar(found->availability, kBarWidth) +
                             (*best_one != '\0' ? "  best" : ""),
                     .wrap = false});
    table.add({present::time(found->interval), share(found->availability), words(best_one)});
  }
  if (lines.empty()) return;
  document.add(Section{"Availability against the checkpoint interval"});
  for (Text& line : lines) document.blocks.push_back({std::move(line), Where::terminal});
  document.detail(std::move(table));
}

std::string words_of(Step step) {
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

std::string dollars_of(Usd amount) {
  return currency_sign(money_unit()) + with_prefix(shown_amount(amount.in(units::usd)));
}

Cell money(Usd amount) {
  return said(usd(Estimate<Usd>::exactly(amount)), dollars_of(amount));
}

/// That a run meets.
Cell failures_of(const FailureSummary& failures) {
  constexpr double kMost = 1e9;
  const Cell cell = number(failures.expected.value_or(0));
  return failures.expected > kMost ? said(cell, "more than 10⁹") : cell;
}

void add_run(const FailureSummary& failures, bool at_least, Document& document) {
  if (failures.days) {
    const FailureSummary::Days& days = *failures.days;
    const auto run_of = [](Seconds time, bool bound = false) {
      return present::at_least(bound, said(present::days(time), in_days(time)));
    };
    document.add(Figures{
        .figures = {{"days without failures", run_of(days.ideal), "{} days without failures,"},
                    {"days on average", run_of(days.mean, at_least), "{} on average,"},
                    {"failures", failures_of(failures), "{} failures"}},
        .separator = " "});
    document.add(Figures{.figures = {{"days in 95 of 100 runs, if only the luck of failures varies",
                                      run_of(days.p95, at_least),
                                      "95 of 100 within {} days, if only the luck of failures "
                                      "varies"}}});
    if (days.p95 < days.mean) {
      document.add(
          Text{.text = "fewer than 5 of 100 runs lose so much that the average lies beyond"});
    }
  }
  if (failures.days_range &&
      in_days(failures.days_range->low) != in_days(failures.days_range->high)) {
    const auto run_of = [](Seconds time) { return said(present::days(time), in_days(time)); };
    document.add(Figures{.figures = {{"days in 80 of 100 cases, at least",
                                      run_of(failures.days_range->low), "80 of 100 such runs: {}"},
                                     {"days in 80 of 100 cases, at most",
                                      run_of(failures.days_range->high), " to {} days"}},
                         .separator = ""});
  }
  if (!failures.money) return;
  document.add(
      Figures{.figures = {{"a failure", money(failures.money->per_failure), "{} a failure"}}});
  if (!failures.money->mean) return;
  document.add(
      Figures{.figures = {{"the run, ideally", money(*failures.money->ideal), "the run {} ideally"},
                          {"the run, on average", money(*failures.money->mean), "{} on average"},
                          {"the run, in 95 of 100, if only the luck of failures varies",
                           money(*failures.money->p95), "{} in 95 of 100"}},
              .separator = ", "});
}

std::string checkpoints(const FailureInputs& inputs, const FailureSummary& failures) {
  if (!failures.interval) return "no failure, no checkpoints";
  const bool optimal = failures.advised && *failures.interval == failures.advised->optimal;
  const std::string stall = inputs.stall_range
                                ? fmt::format("usually {} to {}", duration(inputs.stall_range->low),
                                              duration(inputs.stall_range->high))
                                : duration(inputs.stall);
  std::string text = fmt::format("a checkpoint every {}{}, {} each", duration(*failures.interval),
                                 optimal ? " (optimal)" : "", stall);
  if (inputs.durable > Seconds{}) {
    text += fmt::format(", durable after {}", duration(inputs.durable));
  }
  text += fmt::format("; {} to recover", duration(failures.recovery));
  switch (inputs.recovery) {
    case RecoveryMode::merge:
      return text;
    case RecoveryMode::phased:
      return text + ", the restart again after each failure in it";
    case RecoveryMode::restart:
      return text + ", all of it again after each failure in it";
  }
  return text;
}

/// "80 of 100 such clusters: 71.3 to 90.2 % of the time"
void add_range(const FailureSummary& failures, Document& document) {
  const Estimate<double>& range = failures.availability_range;
  if (range.low >= range.high || shown_share(range.low).text == shown_share(range.high).text)
    return;
  document.add(
      Figures{.figures = {{"in 80 of 100 cases at least", shown_share(range.low),
                           "80 of 100 such clusters: {}"},
                          {"in 80 of 100 cases at most", shown_share(range.high), " to {}"}},
              .separator = ""});
}

void add_spares(const FailureInputs& inputs, const FailureSummary& failures, Document& document) {
  if (!failures.spares_ok || !inputs.spares) return;
  const SparePolicy& policy = *inputs.spares;
  const char* const spare = policy.spares == 1 ? "spare" : "spares";
  const std::string unit =
      fmt::format("{} of {} GPU{}", spare, policy.unit_gpus, policy.unit_gpus == 1 ? "" : "s");
  Figures spares{.figures = {{unit, count(policy.spares), "{} " + unit},
                             {"they suffice with a probability of", share(*failures.spares_ok),
                              policy.spares == 1 ? " suffices with a probability of {}"
                                                 : " suffice with a probability of {}"}},
                 .separator = ""};
  if (failures.spares_for_99) {
    spares.figures.push_back(
        {"spare nodes for 99 %", count(*failures.spares_for_99), "; 99 % takes {}"});
  }
  document.add(std::move(spares));
  if (policy.spare_trays > 0) {
    document.add(
        Text{.text = fmt::format("{} of the {} trays of each {} GPUs stand by there too",
                                 policy.spare_trays, policy.unit_trays, policy.unit_gpus)});
  }
}

}  // namespace

Cell shown_share(double value) {
  constexpr double kSmall = 0.01, kLeast = 1e-9;
  const Cell cell = share(value);
  if (value >= kSmall || value == 0) return cell;
  return said(cell, value > kLeast ? significant(100 * value) + " %" : "less than 10⁻⁷ %");
}

FailureInputs inputs_of(const job::ReliabilityResult& result) {
  const JobReliability& job = result.job;
  return {.rates = job.rates,
          .counts = job.counts,
          .tor = job.access,
          .stall = job.checkpoint.stall,
          .durable = job.checkpoint.durable,
          .restart = job.restart,
          .stall_range = result.unknown_stall,
          .recovery = job.recovery,
          .hazard = job.hazard,
          .link_loss =
              job.access == AccessLinks::dual_tor ? std::optional(job.link_loss) : std::nullopt,
          .running_share = job.running_share,
          .spares = job.spares,
          .assumed = result.assumed};
}

FailureSummary summary_of(const job::ReliabilityResult& result) {
  const FailureLoad& load = result.load;
  const double running = 1 / load.wall_per_active;
  FailureSummary summary{.hours_between = hours_between(load.rate),
                         .wall_hours_between = hours_between(load.rate * running),
                         .interval = result.goodput.interval,
                         .advised = result.advised,
                         .recovery = load.recovery(),
                         .availability = result.goodput.availability,
                         .availability_range = result.availability,
                         .waste = result.goodput.waste,
                         .per_month = load.rate * kMonth * running,
                         .days_range = result.days_range,
                         .spares_ok = load.p_spares_ok,
                         .spares_for_99 = result.spares_for_99,
                         .improve = result.improve,
                         .by_interval = result.by_interval,
                         .money = result.money};
  if (result.by_hazard) {
    summary.by_hazard = FailureSummary::ByHazard{(*result.by_hazard)[0], (*result.by_hazard)[1]};
  }
  for (std::size_t i = 0; i < result.exposed.size(); ++i) {
    const Exposure& exposure = result.exposed[i];
    const PerSecond rate = load.rates[i];
    const bool crashes = exposure.action == FailureAction::crash && load.rate > PerSecond{};
    summary.components.push_back(
        {.name = exposure.component,
         .action = exposure.action,
         .hours_between = hours_between(rate),
         .per_month = rate * kMonth / load.wall_per_active,
         .crashes = crashes ? std::optional{rate / load.rate} : std::nullopt});
  }
  for (std::size_t i = 0; i < result.fewer_failures.size(); ++i) {
    summary.fewer.push_back({result.job.rates.components[i].component, result.fewer_failures[i]});
  }
  if (result.days) {
    summary.expected = result.days->failures;
    summary.days = days_of(*result.days);
  }
  return summary;
}

void add_improvements(const FailureSummary& failures, Document& document) {
  if (failures.improve.empty()) return;
  document.add(Section{"What to improve next"});
  Table table{.header = {"step", "takes", "a second less", "a tenth less"}};
  for (const Improvement& step : failures.improve) {
    table.add({words(words_of(step.step)), present::time(step.takes), points(step.per_second),
               points(step.a_tenth)});
  }
  const auto most =
      std::max_element(failures.fewer.begin(), failures.fewer.end(),
                       [](const auto& a, const auto& b) { return a.a_tenth < b.a_tenth; });
  if (most != failures.fewer.end() && most->a_tenth > 0) {
    table.add({words("failures: " + most->component), words(""), words(""), points(most->a_tenth)});
  }
  document.add(std::move(table));
}

Document failure_document(const FailureInputs& inputs, const FailureSummary& failures) {
  Document document{
      .title = fmt::format("{} GPU{} with the failures of {}", grouped(inputs.counts.gpus),
                           inputs.counts.gpus == 1 ? "" : "s", inputs.rates.title),
      .kicker = "Failures"};
  const bool bound = inputs.stall_range.has_value();
  Figures figures{.figures = {{bound ? "work that stays, at most" : "work that stays",
                               shown_share(failures.availability),
                               bound ? "at most {} of the time is work that stays"
                                     : "{} of the time is work that stays"}},
                  .strong = true,
                  .apart = true};
  if (failures.wall_hours_between) {
    figures.figures.push_back({"time between failures",
                               present::time(*failures.wall_hours_between * units::hour),
                               "a failure every {}"});
  } else {
    figures.figures.push_back({"time between failures", words("no failure stops the job"), "{}"});
  }
  document.add(std::move(figures));
  document.add(Text{.text = checkpoints(inputs, failures)});
  add_range(failures, document);
  add_run(failures, bound, document);
  add_spares(inputs, failures, document);
  add_waste(failures, document);
  add_components(failures, document);
  add_intervals(failures, document);
  add_improvements(failures, document);
  add_assumed(inputs.assumed, document, "Assumed, or as in the rates: ", true);
  return document;
}

}  // namespace planner::commands
