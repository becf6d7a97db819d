#include "planner/present/xlsx/xlsx.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "planner/present/blocks.hpp"
#include "planner/present/text.hpp"
#include "planner/present/xlsx/bill_sheet.hpp"
#include "planner/present/xlsx/calculation_sheet.hpp"

namespace planner::present {

namespace {

constexpr double kNarrowest = 12, kWidest = 60;
constexpr double kLineHeight = 15;    // points
constexpr double kFirstColumn = 42;   // characters
constexpr lxw_col_t kSentenceTo = 4;  // the column that sentences end in
constexpr const char* kFirstPage = "At a glance";

/// A sheet with blocks, one under the other.
class Summary {
 public:
  /// @param one_page  prints on one, its columns as wide as a page has them
  Summary(lxw_worksheet* sheet, const SheetFormats& formats, bool one_page)
      : sheet_(sheet), formats_(formats), one_page_(one_page) {}

  void title(const std::string& text) {
    write_text(sheet_, row_, 0, text, formats_.bold);
    write_text(sheet_, row_, 1, "planner " PLANNER_VERSION);
    row_ += 2;
  }
  /// What all bills come to, in cells that follow their prices.
  void totals(const std::vector<BillSheet>& bills) {
    if (!bills.empty()) row_ = write_totals(bills, formats_, sheet_, row_) + 1;
  }
  void operator()(const Section& section) {
    ++row_;
    write_text(sheet_, row_, 0, section.title, formats_.bold);
    write_text(sheet_, row_++, 1, section.aside);
  }
  void operator()(const Text& block) { sentence(block.lead + block.text); }
  void operator()(const List& list) {
    for (const std::string& item : list.items) sentence(item);
  }
  void operator()(const Sources& block) {
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      sentence("[" + std::to_string(i + 1) + "] " + block.sources[i].text);
    }
  }
  void operator()(const auto& block) {
    for (const DataTable& table : data_of(block)) add(table);
  }

  /// Columns as wide as what they hold, within bounds.
  void finish() {
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const auto column = static_cast<lxw_col_t>(i);
      const double most = one_page_ && i > 0 ? 2 * kNarrowest : kWidest;
      const double width = std::clamp(static_cast<double>(widths_[i]) + 2, kNarrowest, most);
      worksheet_set_column(sheet_, column, column, one_page_ && i == 0 ? kFirstColumn : width,
                           nullptr);
    }
    print_on_a4(sheet_, one_page_ ? 1 : 0);
  }

 private:
  /// Text in the first column, in as many lines as it takes: what runs over its right edge would
  /// widen the page that is printed.
  void sentence(const std::string& text) {
    widths_.resize(std::max<std::size_t>(widths_.size(), 1));
    if (!one_page_) widths_[0] = std::max(widths_[0], display_width(text));
    const double width = one_page_ ? kFirstColumn + kSentenceTo * kNarrowest : kWidest;
    const double lines = std::ceil(static_cast<double>(display_width(text)) / width);
    worksheet_set_row(sheet_, row_, kLineHeight * std::max(1.0, lines), nullptr);
    if (one_page_) {
      worksheet_merge_range(sheet_, row_, 0, row_, kSentenceTo, "", formats_.wrapped);
    }
    write_text(sheet_, row_++, 0, text, formats_.wrapped);
  }

  void add(const DataTable& narrow) {
    const DataTable table = for_programs(narrow);
    for (std::size_t i = 0; i < table.header.size(); ++i) {
      write_text(sheet_, row_, static_cast<lxw_col_t>(i), table.header[i], formats_.heading);
    }
    if (!table.header.empty()) ++row_;
    for (const auto& cells : table.rows) {
      for (std::size_t i = 0; i < cells.size(); ++i) write(cells[i], i);
      ++row_;
    }
  }

  /// The value to calculate with.
  void write(const Cell& cell, std::size_t at) {
    const auto column = static_cast<lxw_col_t>(at);
    widths_.resize(std::max(widths_.size(), at + 1));
    widths_[at] = std::max(widths_[at], display_width(cell.text));
    if (const auto value = cell.number()) {
      worksheet_write_number(sheet_, row_, column, *value, formats_.of(*value));
    } else if (const auto* const flag = std::get_if<bool>(&cell.value)) {
      worksheet_write_boolean(sheet_, row_, column, *flag ? 1 : 0, nullptr);
    } else {
      write_text(sheet_, row_, column, cell.text);
    }
  }

  lxw_worksheet* sheet_;
  const SheetFormats& formats_;
  bool one_page_;
  lxw_row_t row_ = 0;
  std::vector<std::size_t> widths_;
};

/// How many blocks the sheet that is printed on one page has: those to the end of the first page,
/// where the document has one; else all.
std::size_t on_first_page(const Document& document) {
  bool begun = false;
  for (std::size_t i = 0; i < document.blocks.size(); ++i) {
    const auto* const section = std::get_if<Section>(&document.blocks[i].content);
    if (section == nullptr) continue;
    if (begun) return i;
    begun = section->title == kFirstPage;
  }
  return document.blocks.size();
}

}  // namespace

std::string to_xlsx(const Document& document) {
  Workbook book;
  const SheetFormats formats = formats_of(book);
  const std::size_t first_page = on_first_page(document);
  const bool details = first_page < document.blocks.size();
  Summary summary(book.add_sheet("Summary"), formats, details);
  summary.title(document.title);
  std::vector<BillSheet> bills;
  for (const Block& block : document.blocks) {
    if (const auto* const bill = std::get_if<Bill>(&block.content)) {
      bills.push_back(write_bill(*bill, formats, book.add_sheet(bill->title)));
    }
  }
  summary.totals(bills);
  for (const Block& block : document.blocks) {
    if (const auto* const calculation = std::get_if<Calculation>(&block.content)) {
      write_calculation(*calculation, bills, formats, book.add_sheet(calculation->title));
    }
  }
  std::optional<Summary> rest;
  if (details) rest.emplace(book.add_sheet("Details"), formats, false);
  for (std::size_t i = 0; i < document.blocks.size(); ++i) {
    const Block& block = document.blocks[i];
    const bool on_own_sheet = std::holds_alternative<Bill>(block.content) ||
                              std::holds_alternative<Calculation>(block.content);
    if (block.where == Where::terminal || on_own_sheet) continue;
    std::visit(i < first_page ? summary : *rest, block.content);
  }
  summary.finish();
  if (rest) rest->finish();
  return book.finish();
}

}  // namespace planner::present
