#include "planner/present/xlsx/summary_sheet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr double kNarrowest = 10, kWidest = 14;
constexpr double kLineHeight = 15;     // points
constexpr double kFirstColumn = 42;    // characters
constexpr double kFigureColumns = 14;  // of a page
constexpr double kFirstOfPage = 34, kUnits = 7;
constexpr lxw_col_t kSentenceTo = 6;  // the column that sentences of a page end in
constexpr double kMostLines = 6;
constexpr std::size_t kUpright = 8;  // columns that a page has upright
constexpr const char* kYes = "yes";
constexpr const char* kLeftOut =
    "You have changed figures. Ranges of so many in 100 were those of the figures before and are "
    "left out: ask planner with what you changed for new ones.";
/// What the first sheet shows of a calculation at both of its ends, by key.
constexpr std::array<const char*, 3> kAtBothEnds{"tco", "gpu_hour", "run_cost"};

/// A formula that holds while a cell is what it was: within a hair, as spreadsheets read 15 digits.
std::string is_still(const std::string& cell, double value) {
  if (value == 0) return cell + "=0";
  return fmt::format("ABS({}/{:.15g}-1)<0.000000001", cell, value);
}

/// Whether nothing was changed that a reader may change.
std::string nothing_changed(const LiveSheets& live) {
  std::vector<std::string> conditions;
  for (const BillSheet& on : live.bills) {
    conditions.push_back(is_still(cell_name(on.sheet, on.total_row + 1, total), on.unpriced));
    if (on.bill->lines.empty()) continue;
    conditions.push_back(is_still(cell_name(on.sheet, on.total_row, power_all), on.power));
    if (!on.bill->total.known()) continue;
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      const auto column = static_cast<lxw_col_t>(total_low + i);
      conditions.push_back(is_still(cell_name(on.sheet, on.total_row, column), on.sum.*kBounds[i]));
    }
  }
  for (const CalculationSheet& on : live.calculations) {
    for (const Calculation::Row& row : on.calculation->rows) {
      if (!row.formula.empty()) continue;
      const CalculatedRow& at = on.rows.at(row.key);
      for (std::size_t i = 0; i < kBounds.size(); ++i) {
        if (i == 1 || at.ranges()) conditions.push_back(is_still(at.cells[i], at.now.*kBounds[i]));
      }
    }
  }
  if (conditions.empty()) return {};
  return fmt::format("=IF(AND({}),\"{}\",\"no\")", fmt::join(conditions, ","), kYes);
}

/// The cell of a row of a calculation; empty: there is none.
std::string followed(const LiveSheets& live, const std::string& follows) {
  for (const CalculationSheet& on : live.calculations) {
    const std::string start = on.calculation->title + "/";
    if (!follows.starts_with(start)) continue;
    const auto found = on.rows.find(follows.substr(start.size()));
    if (found != on.rows.end()) return found->second.cells[1];
  }
  return {};
}

/// Whether a column has nothing but ranges: of these both ends are shown.
bool only_ranges(const DataTable& table, std::size_t column) {
  bool any = false;
  for (const auto& row : table.rows) {
    if (column >= row.size() || !row[column].is_number()) continue;
    if (!row[column].ends) return false;
    any = true;
  }
  return any;
}

}  // namespace

void SummarySheet::title(const std::string& text) {
  write_text(sheet_, row_, 0, text, formats_.bold);
  write_text(sheet_, row_, one_page_ ? kSentenceTo - 1 : 1, "planner " PLANNER_VERSION);
  row_ += 2;
  const std::string formula = one_page_ ? nothing_changed(live_) : std::string{};
  if (formula.empty()) return;
  write_text(sheet_, row_, 0, "as planner wrote it");
  write_formula(sheet_, row_, 1, formula, kYes, formats_.bold);
  unchanged_ = fmt::format("${}${}", 'B', row_ + 1);
  ++row_;
  sentence(
      "Change a price or quantity of a bill, or a figure in bold of a \"What if\": all figures "
      "follow but ranges of so many in 100 cases, which only planner works out, from all that is "
      "not known together. All low and all high are every price, and the PUE, at the same end at "
      "once, the days of a run as expected: farther apart than 80 of 100. Sentences stay as they "
      "were.");
  const lxw_row_t at = row_;
  sentence(kLeftOut);  // as high as that takes
  write_formula(sheet_, at, 0,
                fmt::format("=IF({}=\"{}\",\"\",\"{}\")", unchanged_, kYes, kLeftOut), "",
                formats_.wrapped);
  ++row_;
}

void SummarySheet::totals() {
  if (live_.bills.empty()) return;
  row_ = write_totals(live_.bills, formats_, sheet_, row_);
  both_ends();
  ++row_;
}

/// What calculations come to with everything at its low end, as expected and at its high end; each
/// under its bill, by the name that it has elsewhere.
void SummarySheet::both_ends() {
  constexpr std::array<const char*, 3> kEnds{"all low: ", "all as expected: ", "all high: "};
  for (const char* const key : kAtBothEnds) {
    const auto name = live_.names.find(key);
    for (std::size_t end = 0; name != live_.names.end() && end < kEnds.size(); ++end) {
      row_name(kEnds[end] + name->second);
      for (const CalculationSheet& on : live_.calculations) {
        const auto bill = std::find_if(
            live_.bills.begin(), live_.bills.end(),
            [&](const BillSheet& of) { return of.bill->title == on.calculation->bill; });
        const auto found = on.rows.find(key);
        if (bill == live_.bills.end() || found == on.rows.end()) continue;
        const double now = found->second.now.*kBounds[end];
        const auto column = static_cast<lxw_col_t>(bill - live_.bills.begin() + 1);
        write_formula(sheet_, row_, column, "=" + found->second.cells[end], now, formats_.of(now));
      }
      ++row_;
    }
  }
}

void SummarySheet::operator()(const Section& section) {
  ++row_;
  write_text(sheet_, row_, 0, section.title, formats_.bold);
  write_text(sheet_, row_++, 1, section.aside);
}

void SummarySheet::operator()(const List& list) {
  for (const std::string& item : list.items) sentence(item);
}

void SummarySheet::operator()(const Sources& block) {
  for (std::size_t i = 0; i < block.sources.size(); ++i) {
    sentence("[" + std::to_string(i + 1) + "] " + block.sources[i].text);
  }
}

void SummarySheet::finish() {
  const auto columns = static_cast<lxw_col_t>(std::max<std::size_t>(widths_.size(), 1));
  for (lxw_col_t column = 0; column < columns; ++column) {
    double width = std::clamp(static_cast<double>(widths_.empty() ? 0 : widths_[column]) + 2,
                              kNarrowest, column == 0 ? kFirstColumn : kWidest);
    if (one_page_ && column == 0) width = kFirstOfPage;
    if (one_page_ && column > 0) width = column == unit_column_ ? kUnits : kFigureColumns;
    worksheet_set_column(sheet_, column, column, width, nullptr);
  }
  if (one_page_) {
    print_on_a4(sheet_, widths_.size() <= kUpright ? Page::upright : Page::lying, 1);
  } else {
    print_on_a4(sheet_);
  }
}

/// Text from the first column on, in as many lines as it takes: what runs over its right edge would
/// widen the page that is printed.
void SummarySheet::sentence(const std::string& text) {
  const double more = one_page_ ? kFigureColumns : kNarrowest;
  const double width = (one_page_ ? kFirstOfPage : kFirstColumn) + kSentenceTo * more;
  const double lines = std::ceil(1.05 * static_cast<double>(display_width(text)) / width);
  worksheet_set_row(sheet_, row_, kLineHeight * std::max(1.0, lines), nullptr);
  worksheet_merge_range(sheet_, row_, 0, row_, kSentenceTo, "", formats_.wrapped);
  write_text(sheet_, row_++, 0, text, formats_.wrapped);
}

void SummarySheet::header(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    write_text(sheet_, row_, static_cast<lxw_col_t>(i), names[i], formats_.heading);
  }
  if (names.empty()) return;
  const auto longest = std::max_element(
      names.begin(), names.end(),
      [](const auto& a, const auto& b) { return display_width(a) < display_width(b); });
  const double lines =
      std::ceil(1.3 * static_cast<double>(display_width(*longest)) / kFigureColumns);
  worksheet_set_row(sheet_, row_++, kLineHeight * std::clamp(lines, 1.0, 3.0), nullptr);
}

void SummarySheet::add(const DataTable& narrow) {
  const DataTable table = for_programs(narrow);
  header(table.header);
  for (const auto& cells : table.rows) {
    double lines = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      write(cells[i], i);
      if (!cells[i].is_number()) lines = std::max(lines, lines_of(cells[i].text, i));
    }
    if (lines > 1) {
      worksheet_set_row(sheet_, row_, kLineHeight * std::min(lines, kMostLines), nullptr);
    }
    ++row_;
  }
}

/// Ranges as both ends, lower bounds by their names, units in a last column.
void SummarySheet::add_live(const DataTable& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    if (!only_ranges(table, i)) {
      names.push_back(table.header[i]);
      continue;
    }
    names.push_back(table.header[i] + ", from");
    names.emplace_back("to");
  }
  header(names);
  for (const auto& cells : table.rows) {
    std::size_t at = 0;
    std::string unit;
    const bool bound =
        std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.at_least; });
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = cells[i];
      if (cell.is_number()) unit = cell.unit;
      if (i == 0 && !cell.is_number()) {
        row_name(cell.text + (bound ? ", at least" : ""));
        ++at;
      } else if (!only_ranges(table, i)) {
        write(cell, at++);
      } else if (cell.ends) {
        write_number(cell.ends->low, cell, at++);
        write_number(cell.ends->high, cell, at++);
      } else {
        at += 2;
      }
    }
    unit_column_ = std::max(at, names.size());
    write_words(unit, unit_column_);
    ++row_;
  }
}

/// In as many lines as it takes: figures beside it would cut it off.
void SummarySheet::row_name(const std::string& name) {
  write_words(name, 0);
  const double lines = lines_of(name, 0);
  if (lines > 1) worksheet_set_row(sheet_, row_, kLineHeight * lines, nullptr);
}

/// The value to calculate with.
void SummarySheet::write(const Cell& cell, std::size_t at) {
  if (const auto value = cell.number()) {
    const std::string from = one_page_ ? followed(live_, cell.follows) : std::string{};
    if (from.empty()) return write_number(*value, cell, at);
    widths_.resize(std::max(widths_.size(), at + 1));
    write_formula(sheet_, row_, static_cast<lxw_col_t>(at), "=" + from, *value,
                  formats_.of(*value));
  } else if (const auto* const flag = std::get_if<bool>(&cell.value)) {
    widths_.resize(std::max(widths_.size(), at + 1));
    worksheet_write_boolean(sheet_, row_, static_cast<lxw_col_t>(at), *flag ? 1 : 0, nullptr);
  } else {
    write_words(cell.text, at);
  }
}

/// On a page that follows what is changed, for as long as nothing is.
void SummarySheet::write_number(double value, const Cell& of, std::size_t at) {
  const auto column = static_cast<lxw_col_t>(at);
  widths_.resize(std::max(widths_.size(), at + 1));
  widths_[at] = std::max(widths_[at], display_width(of.text));
  lxw_format* const format = formats_.of(value);
  if (unchanged_.empty()) {
    worksheet_write_number(sheet_, row_, column, value, format);
  } else {
    write_formula(sheet_, row_, column,
                  fmt::format("=IF({}=\"{}\",{:.15g},\"\")", unchanged_, kYes, value), value,
                  format);
  }
}

void SummarySheet::write_words(const std::string& text, std::size_t at) {
  widths_.resize(std::max(widths_.size(), at + 1));
  widths_[at] = std::max(widths_[at], display_width(text));
  write_text(sheet_, row_, static_cast<lxw_col_t>(at), text,
             lines_of(text, at) > 1 ? formats_.wrapped : nullptr);
}

/// That a text takes in its column.
double SummarySheet::lines_of(const std::string& text, std::size_t at) const {
  const double width = at > 0 ? kWidest : one_page_ ? kFirstOfPage : kFirstColumn;
  const auto taken = static_cast<double>(display_width(text));
  // A line ends where a word does.
  return taken <= width ? 1.0 : std::max(2.0, std::ceil(1.1 * taken / width));
}

}  // namespace planner::present
