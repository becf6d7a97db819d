#pragma once

#include <array>
#include <string>
#include <vector>

#include "planner/present/document.hpp"
#include "planner/present/xlsx/workbook.hpp"

namespace planner::present {

struct SheetFormats {
  lxw_format *bold, *count, *bold_count, *money, *bold_money, *general, *bold_general, *wrapped,
      *heading, *tenths, *cents, *small;

  /// With as many digits as a reader needs; the cell holds them all.
  [[nodiscard]] lxw_format* of(double value) const;
};

SheetFormats formats_of(Workbook& book);

/// Sums of a bill at the low, the expected and the high price.
struct Amounts {
  double low = 0, expected = 0, high = 0;
};
using Bound = double Amounts::*;
inline constexpr std::array<Bound, 3> kBounds{&Amounts::low, &Amounts::expected, &Amounts::high};

// Columns of a bill.
enum BillColumn : lxw_col_t {
  item,
  category,
  quantity,
  price_low,
  price,
  price_high,
  total_low,
  total,
  total_high,
  included,
  source,
  as_of,
  power_each,
  power_all,
};
inline constexpr lxw_row_t kFirstLine = 4;  ///< under title, price book and headings

/// A bill on its sheet: where it is, and what it comes to now.
struct BillSheet {
  const Bill* bill = nullptr;
  lxw_worksheet* sheet = nullptr;
  lxw_row_t total_row = 0;  ///< the sums; the count of unpriced lines is one below
  Amounts sum;
  double unpriced = 0;
  double power = 0;  ///< W

  /// "C5:C12", and the same as other sheets name it.
  [[nodiscard]] std::string range(lxw_col_t column) const;
  [[nodiscard]] std::string outside_range(lxw_col_t column) const;
};

/// Writes the bill to an empty sheet.
BillSheet write_bill(const Bill& bill, const SheetFormats& formats, lxw_worksheet* sheet);

/// Writes what the bills come to, by category and in all, a column each, in cells that follow them.
/// @return the row below
lxw_row_t write_totals(const std::vector<BillSheet>& bills, const SheetFormats& formats,
                       lxw_worksheet* sheet, lxw_row_t row);

}  // namespace planner::present
