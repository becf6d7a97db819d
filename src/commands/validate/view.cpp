#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "planner/commands/validate/validate.hpp"
#include "planner/present/charts/charts.hpp"

namespace planner::commands {

namespace {

using namespace present;
using published::Check;
using published::Kind;

/// For the terminal alone, where blocks stand close.
void add_on_terminal(Content content, Document& document) {
  document.blocks.push_back({std::move(content), Where::terminal});
}

void add_gap(Document& document) {
  add_on_terminal(Text{.text = "", .indent = 0}, document);
}

bool counted(const Check& row) {
  return row.kind == Kind::computed || row.kind == Kind::arithmetic;
}

/// Counts and arithmetic have to be exact; all else has a tolerance.
bool exact(const Check& row) {
  return counted(row) && !row.ceiling && row.tolerance <= 1e-8 * std::abs(row.published);
}

Cell figure_cell(double value, bool whole) {
  if (std::isnan(value)) return none();
  return said(number(value), whole ? fmt::format("{:.10g}", value) : fmt::format("{:.4g}", value));
}

Cell within(const Check& row) {
  return said(number(row.tolerance), !row.checked() ? ""
                                     : row.ceiling  ? "≤ ours"
                                     : exact(row)   ? "exact"
                                                    : fmt::format("± {:g}", row.tolerance));
}

Cell verdict(const Check& row) {
  if (!row.checked()) return none();
  return said(yes_no(row.reproduced()), !row.reproduced() ? "≠" : row.ceiling ? "≤" : "✓");
}

/// All rows alike, for programs and for pages.
Table all_rows(const published::Checks& rows) {
  Table table{.header = {"source", "case", "quantity", "unit", "kind", "published", "ours",
                         "tolerance", "reproduced", "note"}};
  for (const Check& row : rows) {
    table.add({words(row.source), words(row.id), words(row.quantity), words(row.unit),
               words(std::string{name_of(row.kind)}), figure_cell(row.published, true),
               figure_cell(row.ours, exact(row)), within(row), verdict(row), words(row.note)});
  }
  return table;
}

/// The rows of one source under its name, with their notes.
void add_source(std::span<const Check> rows, Document& document) {
  add_on_terminal(
      Text{.text = rows.front().source, .indent = 0, .emphasis = Emphasis::strong, .wrap = false},
      document);
  Table table{.header = {"", "published", "ours", "within", "", ""}};
  std::vector<std::string> notes;
  for (const Check& row : rows) {
    table.add({words(exact(row) ? row.id + " · " + row.quantity : row.quantity),
               figure_cell(row.published, true), figure_cell(row.ours, exact(row)), within(row),
               words(row.unit), row.kind == Kind::input ? words("input") : verdict(row)});
    if (row.note.empty()) continue;
    std::string note = counted(row) ? row.id + ": " + row.note : row.note;
    const bool known = std::find(notes.begin(), notes.end(), note) != notes.end();
    if (!known) notes.push_back(std::move(note));
  }
  add_on_terminal(std::move(table), document);
  for (std::string& note : notes) add_on_terminal(Text{.text = std::move(note)}, document);
  add_gap(document);
}

/// @param inside  what intervals hold of the rows; null: not known
std::vector<Cell> error_cells(std::string name, const ErrorSummary& errors,
                              const Coverage* inside) {
  const auto percents = [](double of) {
    return said(share(of), fmt::format("{:.1f} %", 100 * of));
  };
  return {words(std::move(name)),
          said(count(errors.count), fmt::to_string(errors.count)),
          percents(errors.median),
          percents(errors.mean),
          percents(errors.p90),
          percents(errors.max),
          said(share(errors.bias), fmt::format("{:+.1f} %", 100 * errors.bias)),
          inside == nullptr || inside->rows == 0
              ? words("")
              : said(share(inside->held), fmt::format("{:.0f} %", 100 * inside->held))};
}

/// @param years  whether each year of sources has a line
Table errors(const Validation& all, bool years) {
  Table table{.header = {"source", "rows", "median", "mean", "p90", "worst", "bias"}};
  const bool time = all.what == Validated::time;
  if (time) table.header.emplace_back("inside");
  const auto add = [&](std::string name, const ErrorSummary& of, const Coverage* inside = nullptr) {
    std::vector<Cell> cells = error_cells(std::move(name), of, inside);
    if (!time) cells.pop_back();
    table.add(std::move(cells));
  };
  for (const auto& [source, of] : all.by_source) {
    const auto inside = all.intervals.by_source.find(source);
    add(source, of, inside == all.intervals.by_source.end() ? nullptr : &inside->second);
  }
  for (const auto& [source, of] : all.without_suspects) add(source + " without SUSPECT rows", of);
  table.add({});
  if (years) {
    for (const auto& [year, of] : all.by_year) add(fmt::format("sources of {}", year), of);
    table.add({});
  }
  if (all.what == Validated::memory) {
    for (const auto& [metric, of] : all.by_metric) add(std::string{name_of(metric)}, of);
    table.add({});
    add("sources of 3 rows or more", all.larger_sources);
  }
  add("all", all.total, &all.intervals.all);
  if (all.core.count > 0) add("core", all.core, &all.intervals.core);
  if (all.moe.count > 0) add("mixtures of experts", all.moe, &all.intervals.moe);
  if (all.moe_core.count > 0) {
    add("mixtures in the core", all.moe_core, &all.intervals.moe_core);
  }
  if (all.beside.count > 0) add("beside the fit", all.beside);
  return table;
}

void add_rank(const RankStatistics& rank, Document& document) {
  if (rank.groups == 0) return;
  document.add(Text{fmt::format(
      "Rank, over {} groups that differ in strategy only: the strategy predicted best is {:.1f} % "
      "slower than the best measured in the mean and within 5 % of it in {:.0f} % of the groups; "
      "Kendall τ {:.2f}.",
      rank.groups, 100 * rank.mean_regret, 100 * rank.within_5_pct, rank.kendall_tau)});
  if (rank.curse) {
    const Curse& curse = *rank.curse;
    document.add(Text{fmt::format(
        "The optimizer's curse, mean and median: of strategies predicted best the measured time "
        "lies {:+.1f} and {:+.1f} % from the predicted one, of all strategies {:+.1f} and "
        "{:+.1f} %; the best time predicted lies {:+.1f} and {:+.1f} % from the best measured.",
        100 * curse.mean_slower, 100 * curse.median_slower, 100 * curse.all_mean_slower,
        100 * curse.all_median_slower, 100 * curse.mean_claim, 100 * curse.median_claim)});
  }
  add_gap(document);
}

/// What the intervals of predictions hold.
void add_intervals(const MeasuredAnswer& answer, Document& document) {
  const Coverage &dense = answer.validation.intervals.dense, &moe = answer.validation.intervals.moe;
  const auto held = [](const Coverage& of) {
    return fmt::format("{:.0f} % of {}", 100 * of.held, of.rows);
  };
  if (dense.rows + moe.rows == 0) return;
  std::string text = fmt::format("{:.0f} % intervals hold", 100 * kIntervalShare);
  if (dense.rows > 0) text += " " + held(dense) + " dense rows";
  if (moe.rows > 0) {
    text += (dense.rows > 0 ? " and " : " ") + held(moe) + " rows of mixtures of experts";
  }
  document.add(Text{text + ", by the weights of the fit" +
                    (answer.leave_out ? "; each taken without the row's own source." : ".")});
  add_gap(document);
}

void add_fits(const Validation& all, Document& document) {
  if (all.fits.ran == 0) return;
  const auto of = [](const Refusals& some) {
    return fmt::format("{} of {}", some.said_not_to_fit, some.ran);
  };
  document.add(Text{fmt::format(
      "Memory: plans of {} runs that ran would be refused, {} of the core and {} whose source "
      "states the recomputation.",
      of(all.fits), of(all.core_fits), of(all.stated_fits))});
  add_gap(document);
}

/// The reasons why rows were left out, the most frequent first.
void add_skipped(const std::vector<ValidatedRow>& rows, Document& document) {
  std::map<std::string, int> counts;
  for (const ValidatedRow& row : rows) {
    if (!row.skipped.empty()) ++counts[row.skipped];
  }
  if (counts.empty()) return;
  std::vector<std::pair<std::string, int>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t kShown = 10;
  document.add(Text{.text = "Rows left out"});
  for (std::size_t i = 0; i < std::min(reasons.size(), kShown); ++i) {
    document.add(Text{.text = reasons[i].first, .lead = fmt::format("{:>5}  ", reasons[i].second)});
  }
  if (reasons.size() > kShown) {
    document.add(
        Text{fmt::format("{} more reasons: --json names them all", reasons.size() - kShown)});
  }
  add_gap(document);
}

void add_rows(const Validation& all, Document& document) {
  const char* const unit = all.what == Validated::memory ? "GB" : "s";
  const double si = all.what == Validated::memory ? 1e9 : 1;
  Table table{.header = {"id", "measured", "predicted", "error", "inside", "fits", "left out"},
              .leads = true};
  std::vector<AgreementPoint> points;
  for (const ValidatedRow& row : all.rows) {
    if (!row.skipped.empty()) {
      table.add({words(row.id), none(), none(), none(), none(), none(), words(row.skipped)});
      continue;
    }
    const double measured = row.measured / si, predicted = row.predicted / si;
    table.add({words(row.id), number(measured, unit), number(predicted, unit), share(row.error),
               row.inside ? yes_no(*row.inside) : none(), row.fits ? yes_no(*row.fits) : none(),
               words("")});
    points.push_back({row.id, measured, predicted, row.error});
  }
  document.detail(Section{"Row by row"});
  document.detail(std::move(table));
  if (auto chart = predicted_against_measured(
          points, all.what == Validated::memory ? "peak memory of a GPU" : "iteration time", unit,
          all.total.median)) {
    document.detail(Charts{[drawn = *std::move(chart)] { return std::vector{drawn}; }});
  }
}

}  // namespace

Document published_view(const PublishedAnswer& answer) {
  const published::Checks& rows = answer.rows;
  Document document{.title = "Published figures beside ours", .kicker = "Validation", .bare = true};
  document.detail(all_rows(rows));
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(),
                                   [&](const Check& row) { return row.source != first->source; });
    add_source({first, last}, document);
    first = last;
  }
  const auto number_of = [&](const auto& is) {
    return std::count_if(rows.begin(), rows.end(), is);
  };
  const auto checked = number_of([](const Check& row) { return row.checked(); });
  const auto reproduced = number_of([](const Check& row) { return row.reproduced(); });
  document.add(Text{
      .text = fmt::format(
          "{} of {} published figures reproduced ({} of all are arithmetic on published figures, "
          "not formulas of ours; {}, marked ≤, are lower limits, or measurements below a ceiling "
          "of ours); the {} marked ≠ do not follow from the inputs that their source gives, each "
          "with "
          "the reason.",
          reproduced, checked,
          number_of([](const Check& row) { return row.kind == Kind::arithmetic; }),
          number_of([](const Check& row) { return row.ceiling && row.reproduced(); }),
          checked - reproduced),
      .indent = 0});
  document.add(Text{
      .text = fmt::format("{} more are shown and test nothing: inputs that do not follow from what "
                          "their source states, and those marked –: [F] a parameter is not "
                          "published and was chosen, [E] explained only, [X] not reproduced.",
                          std::ssize(rows) - checked),
      .indent = 0});
  return document;
}

Document measured_view(const MeasuredAnswer& answer) {
  const Validation& all = answer.validation;
  Document document{
      .title = all.what == Validated::memory ? "Peak memory: predicted against measured"
                                             : "Iteration time: predicted against measured",
      .aside = answer.leave_out
                   ? fmt::format("fits without the rows' own {}", name_of(*answer.leave_out))
                   : "calibration " + answer.calibration,
      .kicker = "Validation"};
  add_gap(document);
  document.add(errors(all, answer.leave_out == LeaveOut::year));
  add_gap(document);
  add_rank(all.rank, document);
  add_intervals(answer, document);
  add_fits(all, document);
  add_skipped(all.rows, document);
  if (all.beside.count > 0) {
    document.add(Text{
        "Beside the fit: runs with settings that their source leaves out and that are assumed, "
        "or with what the model has no terms for. They are in none of the other errors."});
    add_gap(document);
  }
  document.add(Text{all.what == Validated::time
                        ? "Columns: |predicted/measured - 1|; bias is the median with its sign; "
                          "inside, what 80 % "
                          "intervals hold."
                        : "Columns: |predicted/measured - 1|; bias is the median with its sign."});
  add_rows(all, document);
  return document;
}

Document validate_view(const ValidateAnswer& answer) {
  if (const auto* const found = std::get_if<PublishedAnswer>(&answer.result)) {
    return published_view(*found);
  }
  if (const auto* const found = std::get_if<NearestAnswer>(&answer.result)) {
    return nearest_view(*found);
  }
  return measured_view(std::get<MeasuredAnswer>(answer.result));
}

}  // namespace planner::commands
