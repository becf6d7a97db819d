#pragma once

#include <vector>

#include "planner/present/xlsx/bill_sheet.hpp"

namespace planner::present {

/// Writes a calculation to an empty sheet: what may be changed as numbers, what follows as formulas
/// of them and of the bill's sheet.
void write_calculation(const Calculation& calculation, const std::vector<BillSheet>& bills,
                       const SheetFormats& formats, lxw_worksheet* sheet);

}  // namespace planner::present
