#pragma once

#include <xlsxwriter.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace planner::present {

/// A workbook in the making (libxlsxwriter). It is written to a temporary file and read back.
class Workbook {
 public:
  Workbook();
  ~Workbook();
  Workbook(const Workbook&) = delete;
  Workbook& operator=(const Workbook&) = delete;

  /// A sheet by the name nearest to `wanted` that is allowed and free.
  lxw_worksheet* add_sheet(const std::string& wanted);
  lxw_format* format(const char* numbers, bool bold = false);
  /// Text in as many lines as it takes.
  lxw_format* wrapped(bool bold = false);
  /// The finished file's bytes; nothing can be added any more.
  /// @throws std::runtime_error when it cannot be written
  std::string finish();

 private:
  std::string path_;
  lxw_workbook* book_ = nullptr;
};

enum class Page { upright, lying };
/// A sheet prints on A4, as wide as the page.
/// @param pages  that it is high; 0: as many as it takes
void print_on_a4(lxw_worksheet* sheet, Page page = Page::lying, std::uint16_t pages = 0);

/// "B7", as formulas name a cell.
std::string cell_name(lxw_row_t row, lxw_col_t column);
/// "'a sheet'!B7".
std::string cell_name(const lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column);

void write_text(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column, std::string_view text,
                lxw_format* format = nullptr);
/// A formula and the value that it has now, for readers that do not calculate.
void write_formula(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column,
                   const std::string& formula, double value, lxw_format* format);
void write_formula(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column,
                   const std::string& formula, const char* value, lxw_format* format);

}  // namespace planner::present
