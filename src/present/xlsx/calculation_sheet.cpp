#include "planner/present/xlsx/calculation_sheet.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "planner/present/calculation_keys.hpp"
#include "planner/present/xlsx/formula.hpp"

namespace planner::present {

namespace {

constexpr lxw_col_t kName = 0, kUnit = 4;
constexpr std::array<lxw_col_t, 3> kColumns{2, 1, 3};  // of the low, the expected, the high end
constexpr lxw_row_t kHeadings = 2, kFirstRow = 3;
constexpr std::size_t kExpected = 1;  // of the three

bool in_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// A formula as the spreadsheet has it: cells in the place of keys, its names of functions.
std::string spreadsheet_formula(const std::string& formula,
                                const std::map<std::string, std::string>& cells) {
  std::string text = "=";
  for (std::size_t i = 0; i < formula.size();) {
    if (std::isalpha(static_cast<unsigned char>(formula[i])) == 0) {
      const bool number = std::isdigit(static_cast<unsigned char>(formula[i])) != 0;
      const std::size_t from = i++;
      while (number && i < formula.size() && (in_a_name(formula[i]) || formula[i] == '.')) ++i;
      text += formula.substr(from, i - from);
      continue;
    }
    const std::size_t from = i;
    while (i < formula.size() && in_a_name(formula[i])) ++i;
    const std::string name = formula.substr(from, i - from);
    if (name == "cents") {  // ROUND has its digits behind the number
      int depth = 0;
      std::size_t end = i;
      do {
        if (formula[end] == '(') ++depth;
        if (formula[end] == ')') --depth;
        ++end;
      } while (depth > 0);
      const std::string inside = formula.substr(i + 1, end - i - 2);
      text += "ROUND(" + spreadsheet_formula(inside, cells).substr(1) + ",2)";
      i = end;
    } else if (const auto cell = cells.find(name); cell != cells.end()) {
      text += cell->second;
    } else {
      for (const char c : name) {
        text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      }
    }
  }
  return text;
}

/// What formulas may name: rows so far, and the bill.
class Named {
 public:
  void add(const std::string& key, CalculatedRow row) { rows_[key] = std::move(row); }
  [[nodiscard]] bool any_ranges(const std::string& formula) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const auto& named) {
      return named.second.ranges() && names(formula, named.first);
    });
  }
  /// The cells of one of the three.
  [[nodiscard]] std::map<std::string, std::string> cells(std::size_t which) const {
    std::map<std::string, std::string> all;
    for (const auto& [key, row] : rows_) all[key] = row.cells.at(which);
    return all;
  }
  [[nodiscard]] double value(const std::string& formula, std::size_t which) const {
    std::map<std::string, double> all;
    for (const auto& [key, row] : rows_) all[key] = row.now.*kBounds[which];
    return evaluate(formula, all);
  }

 private:
  std::map<std::string, CalculatedRow> rows_;
};

/// A cell that has one value.
CalculatedRow single(const std::string& cell, double value) {
  return {.cells = {cell, cell, cell}, .now = {value, value, value}};
}

Named named_in(const Calculation& calculation, const std::vector<BillSheet>& bills) {
  Named named;
  for (const BillSheet& on : bills) {
    if (on.bill->title != calculation.bill) continue;
    const auto sum = [&](lxw_col_t column) { return cell_name(on.sheet, on.total_row, column); };
    named.add(kBillTotal, {.cells = {sum(total_low), sum(total), sum(total_high)}, .now = on.sum});
    named.add(kBillPower, single(sum(power_all), on.power));
    const double nodes =
        on.bill->lines.empty() ? 0 : static_cast<double>(on.bill->lines.front().quantity);
    named.add(kBillNodes, single(cell_name(on.sheet, kFirstLine, quantity), nodes));
  }
  return named;
}

/// Where a row is: cells of the same sheet, or as other sheets name them.
CalculatedRow placed(const lxw_worksheet* elsewhere, lxw_row_t row, bool ranges) {
  CalculatedRow at;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const lxw_col_t column = kColumns[ranges ? i : kExpected];
    at.cells[i] = elsewhere != nullptr ? cell_name(elsewhere, row, column) : cell_name(row, column);
  }
  return at;
}

Amounts given_amounts(const Cell& cell) {
  const double now = cell.number().value_or(0);
  const Ends ends = cell.ends.value_or(Ends{now, now});
  return {.low = ends.low, .expected = now, .high = ends.high};
}

void write_headings(const Calculation& calculation, const SheetFormats& formats,
                    lxw_worksheet* sheet) {
  write_text(sheet, 0, kName, calculation.title, formats.bold);
  write_text(
      sheet, 1, kName,
      "Change a number in bold here, or a price or quantity of the bill: the others follow.");
  constexpr std::array<const char*, 3> kHeading{"all low", "all as expected", "all high"};
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    write_text(sheet, kHeadings, kColumns[i], kHeading[i], formats.heading);
  }
}

}  // namespace

CalculationSheet write_calculation(const Calculation& calculation,
                                   const std::vector<BillSheet>& bills, const SheetFormats& formats,
                                   lxw_worksheet* sheet) {
  write_headings(calculation, formats, sheet);
  Named named = named_in(calculation, bills);
  CalculationSheet on{.calculation = &calculation};
  lxw_row_t row = kFirstRow;
  for (const Calculation::Row& of : calculation.rows) {
    write_text(sheet, row, kName, of.name);
    write_text(sheet, row, kUnit, of.cell.unit);
    const bool given = of.formula.empty();
    const bool ranges = given ? of.cell.ends.has_value() : named.any_ranges(of.formula);
    Amounts now = given_amounts(of.cell);
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      if (!ranges && i != kExpected) continue;
      if (given) {
        worksheet_write_number(sheet, row, kColumns[i], now.*kBounds[i], formats.bold_general);
        continue;
      }
      if (i != kExpected) now.*kBounds[i] = named.value(of.formula, i);
      write_formula(sheet, row, kColumns[i], spreadsheet_formula(of.formula, named.cells(i)),
                    now.*kBounds[i], formats.general);
    }
    CalculatedRow inside = placed(nullptr, row, ranges), outside = placed(sheet, row, ranges);
    inside.now = outside.now = now;
    named.add(of.key, std::move(inside));
    on.rows[of.key] = std::move(outside);
    ++row;
  }
  worksheet_set_column(sheet, kName, kName, 50, nullptr);
  worksheet_set_column(sheet, kColumns[kExpected], kColumns.back(), 18, nullptr);
  worksheet_set_column(sheet, kUnit, kUnit, 22, nullptr);
  print_on_a4(sheet, Page::upright);
  return on;
}

}  // namespace planner::present
