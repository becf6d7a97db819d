#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/commands/calibrate/calibrate.hpp"
#include "planner/domain/names.hpp"

namespace planner::commands {

namespace {

using namespace present;

Cell figure(double value) {
  return said(number(value), fmt::format("{:.4g}", value));
}

void add_constants(const CalibrateAnswer& answer, Document& document) {
  Table table{.header = {"constant", "value", "from " + answer.expected, "rows", "sources"}};
  for (const NewConstant& constant : *answer.constants) {
    const auto specs = constant_specs();
    const auto at = std::find_if(specs.begin(), specs.end(), [&](const ConstantSpec& spec) {
      return spec.name == constant.name;
    });
    if (at == specs.end()) continue;  // of another version
    const auto i = static_cast<std::size_t>(at - specs.begin());
    const ConstantOrigin& origin = answer.calibration.origins[i];
    const auto plain = [](std::int64_t value) { return said(count(value), fmt::to_string(value)); };
    table.add({words(constant.name), figure(answer.calibration.values[i]), figure(constant.before),
               constant.measured ? words("measured") : plain(origin.rows),
               constant.measured ? words("") : plain(origin.sources)});
  }
  const std::size_t kept = kConstants - std::min(kConstants, table.rows.size());
  document.add(std::move(table));
  document.blocks.push_back({Text{.text = "", .indent = 0}, Where::terminal});
  if (kept > 0 && answer.own.empty()) {
    document.add(Text{fmt::format("{} more constants stay as in {}.", kept, answer.expected)});
  }
}

/// "-9 to +24 %"
std::string percents(double low, double high) {
  return fmt::format("{:+.0f} to {:+.0f} %", 100 * (std::exp(low) - 1), 100 * (std::exp(high) - 1));
}

/// Runs of one's own: the factor that is put on their system's times, and how sure these then are.
void add_own_runs(const CalibrateAnswer& answer, Document& document) {
  if (answer.own.empty()) return;
  Table table{
      .header = {"own runs", "runs", "factor", "off before", "after", "80 % before", "80 % after"}};
  const auto off = [](const ErrorSummary& errors) {
    return said(share(errors.bias), fmt::format("{:+.1f} %", 100 * errors.bias));
  };
  for (const OwnFit& fit : answer.own) {
    const OwnRuns& runs = fit.runs;
    table.add({words(fmt::format("{} {}{}", runs.accelerator, name_of(runs.stack),
                                 runs.mixture_of_experts
                                     ? fmt::format(", experts, {:.3g} B", runs.parameters / 1e9)
                                     : "")),
               count(runs.rows), figure(runs.factor), off(fit.before), off(fit.after),
               words(fit.low_before < fit.high_before ? percents(fit.low_before, fit.high_before)
                                                      : "none"),
               words(percents(runs.low, runs.high))});
  }
  document.add(std::move(table));
  document.blocks.push_back({Text{.text = "", .indent = 0}, Where::terminal});
  document.add(Text{fmt::format(
      "Predicted times of these systems are multiplied by the factor, between what is usual "
      "and what the runs say, as far as runs of one source are known to differ from each other. "
      "All constants, and "
      "with them all other systems, stay as in {}.",
      answer.expected)});
}

void add_errors(const char* what, const FittedRows& fitted, Document& document) {
  if (fitted.rows == 0) return;
  document.add(
      Text{fmt::format("{}: {} rows of {} source{}; after the fit the median error is "
                       "{:.1f} %, 90 % of rows are within {:.1f} %.",
                       what, fitted.rows, fitted.sources, fitted.sources == 1 ? "" : "s",
                       100 * fitted.errors.median, 100 * fitted.errors.p90)});
}

void add_intervals(const CalibrateAnswer& answer, Document& document) {
  if (answer.held_dense) {
    document.add(Text{fmt::format(
        "80 % intervals, each held against a source that it was not taken from, hold {:.0f} % of "
        "dense rows{}.",
        100 * *answer.held_dense,
        answer.held_moe
            ? fmt::format(" and {:.0f} % of mixtures of experts", 100 * *answer.held_moe)
            : "")});
  } else if (answer.time.rows > 0 && answer.own.empty()) {
    document.add(Text{fmt::format("Too few sources for intervals of their own: those of {} stay.",
                                  answer.expected)});
  }
}

}  // namespace

Document calibrate_view(const CalibrateAnswer& answer) {
  Document document{.title = "Constants of the calibrated model",
                    .aside = "calibration " + answer.calibration.name,
                    .kicker = "Calibration"};
  document.blocks.push_back({Text{.text = "", .indent = 0}, Where::terminal});
  if (answer.constants && (answer.own.empty() || !answer.constants->empty())) {
    add_constants(answer, document);
  }
  add_own_runs(answer, document);
  add_errors("Time", answer.time, document);
  add_errors("Memory", answer.memory, document);
  add_intervals(answer, document);
  return document;
}

}  // namespace planner::commands
