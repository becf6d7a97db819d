#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner/present/xlsx/bill_sheet.hpp"

namespace planner::present {

/// A calculation on its sheet.
struct CalculationSheet {
  const Calculation* calculation = nullptr;
  std::map<std::string, std::string> cells{};  ///< by key, as other sheets name them
};

/// Writes a calculation to an empty sheet: what may be changed as numbers, what follows as formulas
/// of them and of the bill's sheet.
CalculationSheet write_calculation(const Calculation& calculation,
                                   const std::vector<BillSheet>& bills, const SheetFormats& formats,
                                   lxw_worksheet* sheet);

}  // namespace planner::present
