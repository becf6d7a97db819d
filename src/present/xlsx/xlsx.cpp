#include "planner/present/xlsx/xlsx.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "planner/present/xlsx/summary_sheet.hpp"

namespace planner::present {

namespace {

/// What tables call the figures of calculations, by key; with "at least" where one is.
std::map<std::string, std::string> calculated_names(const Document& document) {
  std::map<std::string, std::string> names;
  for (const Block& block : document.blocks) {
    const auto* const table = std::get_if<Table>(&block.content);
    if (table == nullptr) continue;
    for (const Table::Row& row : table->rows) {
      for (const Cell& cell : row.cells) {
        if (cell.follows.empty()) continue;
        std::string& name = names[cell.follows.substr(cell.follows.rfind('/') + 1)];
        const std::string bound = cell.at_least ? ", at least" : "";
        name = std::max(name, row.cells.front().text + bound);
      }
    }
  }
  return names;
}

}  // namespace

std::string to_xlsx(const Document& document) {
  Workbook book;
  const SheetFormats formats = formats_of(book);
  const std::size_t first_page = document.first_page.value_or(document.blocks.size());
  const bool details = first_page < document.blocks.size();
  LiveSheets live{.bills = {}, .calculations = {}, .names = calculated_names(document)};
  lxw_worksheet* const first = book.add_sheet("Summary");
  for (const Block& block : document.blocks) {
    if (const auto* const bill = std::get_if<Bill>(&block.content)) {
      live.bills.push_back(write_bill(*bill, formats, book.add_sheet(bill->title)));
    }
  }
  for (const Block& block : document.blocks) {
    if (const auto* const calculation = std::get_if<Calculation>(&block.content)) {
      live.calculations.push_back(
          write_calculation(*calculation, live.bills, formats, book.add_sheet(calculation->title)));
    }
  }
  SummarySheet summary(first, formats, live, details);
  summary.title(document.title);
  summary.totals();
  std::optional<SummarySheet> rest;
  if (details) rest.emplace(book.add_sheet("Details"), formats, live, false);
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
