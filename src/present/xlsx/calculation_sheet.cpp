#include "planner/present/xlsx/calculation_sheet.hpp"

#include <cctype>
#include <map>
#include <string>

#include "planner/present/calculation_keys.hpp"

namespace planner::present {

namespace {

constexpr lxw_col_t kName = 0, kValue = 1, kUnit = 2;
constexpr lxw_row_t kFirstRow = 3;

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

std::map<std::string, std::string> cells_of(const Calculation& calculation,
                                            const std::vector<BillSheet>& bills) {
  std::map<std::string, std::string> cells;
  for (const BillSheet& on : bills) {
    if (on.bill->title != calculation.bill) continue;
    cells[kBillTotal] = cell_name(on.sheet, on.total_row, total);
    cells[kBillPower] = cell_name(on.sheet, on.total_row, power_all);
    cells[kBillNodes] = cell_name(on.sheet, kFirstLine, quantity);
  }
  lxw_row_t row = kFirstRow;
  for (const Calculation::Row& of : calculation.rows) cells[of.key] = cell_name(row++, kValue);
  return cells;
}

}  // namespace

CalculationSheet write_calculation(const Calculation& calculation,
                                   const std::vector<BillSheet>& bills, const SheetFormats& formats,
                                   lxw_worksheet* sheet) {
  write_text(sheet, 0, kName, calculation.title, formats.bold);
  write_text(
      sheet, 1, kName,
      "Change a number in bold here, or a price or quantity of the bill: the others follow.");
  const std::map<std::string, std::string> cells = cells_of(calculation, bills);
  CalculationSheet on{.calculation = &calculation};
  lxw_row_t row = kFirstRow;
  for (const Calculation::Row& of : calculation.rows) {
    const double now = of.cell.number().value_or(0);
    write_text(sheet, row, kName, of.name);
    write_text(sheet, row, kUnit, of.cell.unit);
    if (of.formula.empty()) {
      worksheet_write_number(sheet, row, kValue, now, formats.bold_general);
    } else {
      write_formula(sheet, row, kValue, spreadsheet_formula(of.formula, cells), now,
                    formats.general);
    }
    on.cells[of.key] = cell_name(sheet, row, kValue);
    ++row;
  }
  worksheet_set_column(sheet, kName, kName, 50, nullptr);
  worksheet_set_column(sheet, kValue, kValue, 22, nullptr);
  worksheet_set_column(sheet, kUnit, kUnit, 22, nullptr);
  print_on_a4(sheet, Page::upright);
  return on;
}

}  // namespace planner::present
