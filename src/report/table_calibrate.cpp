#include <fmt/format.h>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

/// Constants that rows speak of, or that were measured by themselves.
bool is_new(const CalibrationFit& fit, std::size_t i) {
  const auto constant = static_cast<Constant>(i);
  return fit.measured.contains(constant) || fit.fitted.contains(constant);
}

std::string figure(double value) {
  return fmt::format("{:.4g}", value);
}

void write_constants(const CalibrateResult& result, TerminalWriter& out) {
  const Calibration& made = result.fit.calibration;
  std::vector<std::vector<std::string>> rows{
      {"constant", "value", "from " + printable(result.expected), "rows", "sources"}};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < kConstants; ++i) {
    if (!is_new(result.fit, i)) {
      ++kept;
      continue;
    }
    const bool measured = result.fit.measured.contains(static_cast<Constant>(i));
    const ConstantOrigin& origin = made.origins[i];
    rows.push_back({std::string(constant_specs()[i].name), figure(made.values[i]),
                    figure(result.before.values[i]),
                    measured ? "measured" : fmt::format("{}", origin.rows),
                    measured ? "" : fmt::format("{}", origin.sources)});
  }
  out.columns(rows, 2);
  out.line();
  if (kept > 0) {
    out.paragraph(fmt::format("{} more constants stay as in {}.", kept, printable(result.expected)),
                  2);
  }
}

void write_errors(const char* what, std::int64_t rows, std::int64_t sources,
                  const ErrorSummary& errors, TerminalWriter& out) {
  if (rows == 0) return;
  out.paragraph(
      fmt::format("{}: {} rows of {} source{}; after the fit the median error is {:.1f} %, 90 % of "
                  "rows are within {:.1f} %.",
                  what, rows, sources, sources == 1 ? "" : "s", 100 * errors.median,
                  100 * errors.p90),
      2);
}

}  // namespace

void write_calibrate(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<CalibrateResult>(response.result);
  const CalibrationFit& fit = result.fit;
  out.heading("Constants of the calibrated model",
              printable("calibration " + fit.calibration.name));
  out.line();
  write_constants(result, out);
  write_errors("Time", fit.time_rows, fit.time_sources, result.time, out);
  write_errors("Memory", fit.memory_rows, fit.memory_sources, result.memory, out);
  if (fit.held_dense > 0) {
    out.paragraph(
        fmt::format("80 % intervals, each held against a source that it was not taken from, hold "
                    "{:.0f} % of dense rows{}.",
                    100 * fit.held_dense,
                    fit.held_moe > 0
                        ? fmt::format(" and {:.0f} % of mixtures of experts", 100 * fit.held_moe)
                        : ""),
        2);
  } else if (fit.time_rows > 0) {
    out.paragraph("Too few sources for intervals of their own: those of " +
                      printable(result.expected) + " stay.",
                  2);
  }
}

}  // namespace planner
