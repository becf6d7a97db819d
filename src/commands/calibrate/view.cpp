#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/calibrate/calibrate.hpp"

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
  if (kept > 0) {
    document.add(Text{fmt::format("{} more constants stay as in {}.", kept, answer.expected)});
  }
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
  } else if (answer.time.rows > 0) {
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
  if (answer.constants) add_constants(answer, document);
  add_errors("Time", answer.time, document);
  add_errors("Memory", answer.memory, document);
  add_intervals(answer, document);
  return document;
}

}  // namespace planner::commands
