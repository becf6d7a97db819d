#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "planner/report/table_writer.hpp"

namespace planner {

namespace {

std::vector<std::string> cells(std::string name, const ErrorSummary& errors) {
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  return {std::move(name),
          fmt::format("{}", errors.count),
          percent(errors.median),
          percent(errors.mean),
          percent(errors.p90),
          percent(errors.max),
          fmt::format("{:+.1f} %", 100 * errors.bias)};
}

using Rows = std::vector<std::vector<std::string>>;

Rows table_of(const Validation& all) {
  Rows rows{{"source", "rows", "median", "mean", "p90", "worst", "bias"}};
  for (const auto& [source, errors] : all.by_source) rows.push_back(cells(source, errors));
  for (const auto& [source, errors] : all.without_suspects) {
    rows.push_back(cells(source + " without SUSPECT rows", errors));
  }
  rows.push_back({""});
  if (all.what == Validated::memory) {
    for (const auto& [metric, errors] : all.by_metric) {
      rows.push_back(cells(std::string(name_of(metric)), errors));
    }
    rows.push_back({""});
    rows.push_back(cells("sources of 3 rows or more", all.larger_sources));
  }
  rows.push_back(cells("all", all.total));
  if (all.core.count > 0) rows.push_back(cells("core", all.core));
  if (all.moe_core.count > 0) rows.push_back(cells("core, mixtures of experts", all.moe_core));
  return rows;
}

/// The reasons why rows were left out, the most frequent first.
void write_skipped(const Validation& all, TerminalWriter& out) {
  std::map<std::string, int> counts;
  for (const ValidatedRow& row : all.rows) {
    if (!row.skipped.empty()) ++counts[row.skipped];
  }
  if (counts.empty()) return;
  std::vector<std::pair<std::string, int>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t kShown = 10;
  out.line("  Rows left out");
  for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i) {
    out.paragraph(printable(reasons[i].first), 2, fmt::format("{:>5}  ", reasons[i].second));
  }
  if (reasons.size() > kShown) {
    out.line(fmt::format("  {} more reasons: --json names them all", reasons.size() - kShown));
  }
  out.line();
}

/// What the intervals of predictions hold.
void write_intervals(const MeasuredResult& result, TerminalWriter& out) {
  const Validation& all = result.validation;
  const auto held = [](const Coverage& of) {
    return fmt::format("{:.0f} % of {}", 100 * of.held, of.rows);
  };
  if (all.dense_intervals.rows + all.moe_intervals.rows == 0) return;
  std::string text = fmt::format("{:.0f} % intervals hold", 100 * kIntervalShare);
  if (all.dense_intervals.rows > 0) text += " " + held(all.dense_intervals) + " dense rows";
  if (all.moe_intervals.rows > 0) {
    text += (all.dense_intervals.rows > 0 ? " and " : " ") + held(all.moe_intervals) +
            " rows of mixtures of experts";
  }
  out.paragraph(text + ", by the weights of the fit" +
                    (result.leave_out ? "; each taken without the row's own source." : "."),
                2);
  out.line();
}

}  // namespace

void write_measured(const Response& response, TerminalWriter& out) {
  const auto& result = std::get<MeasuredResult>(response.result);
  const Validation& all = result.validation;
  const bool memory = all.what == Validated::memory;
  out.heading(memory ? "Peak memory: predicted against measured"
                     : "Iteration time: predicted against measured",
              printable(result.leave_out ? "fits without the rows' own " +
                                               std::string(name_of(*result.leave_out))
                                         : "calibration " + result.calibration));
  out.line();
  out.columns(table_of(all), 2);
  out.line();
  if (all.rank.groups > 0) {
    out.paragraph(
        fmt::format("Rank, over {} groups that differ in strategy only: the strategy predicted "
                    "best is {:.1f} % slower than the best measured in the mean and within 5 % of "
                    "it in {:.0f} % of the groups; Kendall τ {:.2f}.",
                    all.rank.groups, 100 * all.rank.mean_regret, 100 * all.rank.within_5_pct,
                    all.rank.kendall_tau),
        2);
    out.line();
  }
  write_intervals(result, out);
  write_skipped(all, out);
  out.paragraph("Columns: |predicted/measured - 1|; bias is the median with its sign.", 2);
}

}  // namespace planner
