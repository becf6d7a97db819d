#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "planner/present/xlsx/bill_sheet.hpp"

namespace planner::present {

/// A row of a calculation on its sheet: all at the low end, as expected, all at the high end.
struct CalculatedRow {
  std::array<std::string, 3> cells;  ///< as other sheets name them; the same where it has one value
  Amounts now;

  [[nodiscard]] bool ranges() const { return cells.front() != cells.back(); }
};

/// A calculation on its sheet.
struct CalculationSheet {
  const Calculation* calculation = nullptr;
  std::map<std::string, CalculatedRow> rows{};  ///< by key
};

/// Writes a calculation to an empty sheet: what may be changed as numbers, what follows as formulas
/// of them and of the bill's sheet, three times over: with everything at its low end, as it is
/// expected, and at its high end.
CalculationSheet write_calculation(const Calculation& calculation,
                                   const std::vector<BillSheet>& bills, const SheetFormats& formats,
                                   lxw_worksheet* sheet);

}  // namespace planner::present
