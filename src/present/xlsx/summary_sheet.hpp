#pragma once

#include <map>
#include <string>
#include <vector>

#include "planner/present/blocks.hpp"
#include "planner/present/xlsx/bill_sheet.hpp"
#include "planner/present/xlsx/calculation_sheet.hpp"

namespace planner::present {

/// Sheets whose figures a reader may change.
struct LiveSheets {
  std::vector<BillSheet> bills;
  std::vector<CalculationSheet> calculations;
  std::map<std::string, std::string> names;  ///< of calculated figures in the document, by key
};

/// A sheet with blocks, one under the other.
class SummarySheet {
 public:
  /// @param one_page  prints on one, its columns as wide as a page has them, and its figures follow
  /// those of `live`, as far as they are rows of a calculation; what is not is left out once
  /// anything is changed
  SummarySheet(lxw_worksheet* sheet, const SheetFormats& formats, const LiveSheets& live,
               bool one_page)
      : sheet_(sheet), formats_(formats), live_(live), one_page_(one_page) {}

  void title(const std::string& text);
  /// What all bills come to, in cells that follow their prices.
  void totals();
  void operator()(const Section& section);
  void operator()(const Text& block) { sentence(block.lead + block.text); }
  void operator()(const List& list);
  void operator()(const Sources& block);
  void operator()(const auto& block) {
    for (const DataTable& table : data_of(block)) {
      one_page_ ? add_live(table) : add(table);
    }
  }

  /// Columns as wide as what they hold, within bounds.
  void finish();

 private:
  void sentence(const std::string& text);
  void both_ends();
  void header(const std::vector<std::string>& names);
  void add(const DataTable& narrow);
  void add_live(const DataTable& table);
  void row_name(const std::string& name);
  void write(const Cell& cell, std::size_t at);
  void write_number(double value, const Cell& of, std::size_t at);
  void write_words(const std::string& text, std::size_t at);
  [[nodiscard]] double lines_of(const std::string& text, std::size_t at) const;

  lxw_worksheet* sheet_;
  const SheetFormats& formats_;
  const LiveSheets& live_;
  bool one_page_;
  lxw_row_t row_ = 0;
  std::size_t unit_column_ = 0;  ///< of tables of a page; 0: none yet
  std::string unchanged_{};      ///< the cell that says so; empty: nothing can be changed
  std::vector<std::size_t> widths_{};
};

}  // namespace planner::present
