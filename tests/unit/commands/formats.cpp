// Every figure that a terminal shows of an answer is in every other format, in the same words: all
// commands of the registry, all formats.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/commands/format.hpp"
#include "planner/core/printable.hpp"
#include "planner/present/csv/csv.hpp"
#include "planner/present/html/html.hpp"
#include "planner/present/markdown/markdown.hpp"
#include "planner/present/terminal/terminal.hpp"
#include "planner/present/xlsx/xlsx.hpp"
#include "support/examples.hpp"
#include "support/printed.hpp"
#include "support/workbook.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::present;
using namespace planner::testing;

namespace {

/// The cells of a block, by its kind: not by way of the renderers.
struct Cells {
  std::vector<Cell> operator()(const Table& table) const {
    std::vector<Cell> cells;
    for (const Table::Row& row : table.rows) {
      for (std::size_t i = 0; i < row.cells.size() && !row.heads; ++i) {
        Cell& cell = cells.emplace_back(row.cells[i]);
        const bool named = i < table.header.size() && table.header[i] == "GB";
        if (named && cell.is_number()) cell.unit = table.header[i];
      }
    }
    return cells;
  }
  std::vector<Cell> operator()(const Figures& block) const { return cells_of(block.figures); }
  std::vector<Cell> operator()(const Facts& block) const { return cells_of(block.facts); }
  std::vector<Cell> operator()(const Bars& block) const {
    std::vector<Cell> cells = cells_of(block.rows);
    for (const Bars::Row& row : block.rows) {
      if (row.why_not.empty()) cells.push_back(share(row.share));
    }
    return cells;
  }
  std::vector<Cell> operator()(const Bill& bill) const {
    std::vector<Cell> cells{bill.total};
    for (const Bill::Line& line : bill.lines) {
      cells.push_back(count(line.quantity));
      if (line.unit_price.is_number()) cells.push_back(line.unit_price);
      if (line.total.is_number()) cells.push_back(line.total);
    }
    return cells;
  }
  std::vector<Cell> operator()(const Derivation& block) const {
    std::vector<Cell> cells;
    for (const Derivation::Term& term : block.terms) cells.push_back(term.value);
    return cells;
  }
  std::vector<Cell> operator()(const auto&) const { return {}; }

 private:
  static std::vector<Cell> cells_of(const auto& rows) {
    std::vector<Cell> cells;
    for (const auto& row : rows) cells.push_back(row.cell);
    return cells;
  }
};

/// A number, or the word for one that is not known.
bool is_figure(const Cell& cell) {
  return cell.is_number() || (!cell.known() && !cell.text.empty() && cell.text != none().text);
}

std::string number_key(double value) {
  return fmt::format("{:.12g}", value);
}

/// A figure as programs tell it from others: value, ends and bound.
std::string program_key(const Cell& cell, const Content&) {
  if (!cell.is_number()) return printable(cell.text, "?", "");
  std::string key = number_key(*cell.number());
  if (cell.ends)
    key += " from " + number_key(cell.ends->low) + " to " + number_key(cell.ends->high);
  return cell.at_least ? "at least " + key : key;
}

/// The figures of a CSV, each with the columns that say more of it.
std::vector<std::string> csv_keys(const std::string& text) {
  std::vector<std::string> keys;
  std::vector<std::string> header;
  const auto ends_with = [&](std::size_t i, std::string_view what) {
    return i < header.size() && header[i].ends_with(what);
  };
  for (const std::vector<std::string>& record : csv_records(text)) {
    const bool names = record.size() != header.size() || record.size() == 1;
    if (names) header = record;
    for (std::size_t i = 0; i < record.size(); ++i) {
      char* end = nullptr;
      const double value = std::strtod(record[i].c_str(), &end);
      const bool number = !record[i].empty() && *end == '\0';
      std::string key = number ? number_key(value) : record[i];
      const auto behind = [&](std::size_t at) { return at < record.size() ? record[at] : ""; };
      std::size_t next = i + 1;
      if (number && ends_with(next, ", low")) {
        if (!behind(next).empty()) {
          keys.push_back(key);  // a terminal may leave the range out
          key += " from " + number_key(std::stod(behind(next))) + " to " +
                 number_key(std::stod(behind(next + 1)));
        }
        next += 2;
      }
      if (number && ends_with(next, ", at least") && behind(next) == "true")
        key.insert(0, "at least ");
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

/// A column of a terminal may have the unit in its name; other formats have it with the figure.
Cell with_its_unit(Cell cell) {
  const bool plain = cell.text.find_first_not_of("0123456789.,+-e") == std::string::npos;
  const bool named = !cell.unit.empty() && cell.unit != "relative";  // which nobody writes
  if (plain && cell.is_number() && named) cell.text += ' ' + cell.unit;
  return cell;
}

/// The figures that a document must show, and how often: those that stand on a terminal alone once.
std::map<std::string, int> needed(const Document& document, auto&& key_of) {
  std::map<std::string, int> counts;
  std::set<std::string> once;
  for (const Block& block : document.blocks) {
    if (block.where == Where::beyond_terminal) continue;
    for (const Cell& cell : std::visit(Cells{}, block.content)) {
      if (!is_figure(cell) || cell.text.empty()) continue;
      if (block.where == Where::terminal) {
        once.insert(key_of(with_its_unit(cell), block.content));
      } else {
        ++counts[key_of(cell, block.content)];
      }
    }
  }
  for (const std::string& key : once) counts.try_emplace(key, 1);
  return counts;
}

/// Those that are missing, or are there less often, a line each.
std::string missing(std::map<std::string, int> counts, const std::vector<std::string>& printed) {
  for (const std::string& key : printed) {
    if (const auto found = counts.find(key); found != counts.end()) --found->second;
  }
  std::string keys;
  for (const auto& [key, count] : counts) {
    if (count > 0) keys += key + '\n';
  }
  return keys;
}

std::string words_key(const Cell& cell, const Content&) {
  return trimmed(printable(cell.text, "?", ""));
}

/// As a workbook has it: a number to calculate with, else words.
std::string workbook_key(const Cell& cell, const Content&) {
  return cell.is_number() ? number_key(*cell.number()) : words_key(cell, {});
}

}  // namespace

TEST_CASE("there is an example of every command") {
  std::set<std::string> called;
  for (const Example& example : examples()) called.insert(example.command->name);
  for (const Command& command : registry()) {
    CAPTURE(command.name);
    CHECK(called.contains(command.name) == !command.replays);
  }
}

TEST_CASE("every format is held against the terminal below") {
  std::set<std::string_view> names;
  for (const Format& format : formats()) names.insert(format.name);
  CHECK(names == std::set<std::string_view>{"table", "json", "csv", "md", "html", "xlsx"});
}

TEST_CASE("every figure of a terminal is in every format, in the same words") {
  std::size_t figures = 0;
  for (const Example& example : examples()) {
    CAPTURE(example.line);
    const Document document = example.command->view(example.answer.get());
    const auto words = needed(document, words_key);
    figures += words.size();
    CHECK(missing(words, markdown_cells(to_markdown(document))) == "");
    CHECK(missing(words, html_cells(to_html(document))) == "");
    CHECK(missing(needed(document, program_key), csv_keys(to_csv(document))) == "");
    const std::string terminal = to_terminal(document, {});
    for (const Block& block : document.blocks) {
      if (block.where == Where::beyond_terminal) continue;
      for (const Cell& cell : std::visit(Cells{}, block.content)) {
        const std::string text = words_key(cell, block.content);
        CAPTURE(text);
        const bool bound = text.starts_with("at least ");  // of a bill: in the name of its row
        if (is_figure(cell))
          CHECK(terminal.find(bound ? text.substr(9) : text) != std::string::npos);
      }
    }
  }
  CHECK(figures > 20 * examples().size());
}

TEST_CASE(
    "a workbook has every figure of the terminal: as a number to calculate with, or in words") {
  for (const Example& example : examples()) {
    if (example.command->to_the_letter) continue;
    CAPTURE(example.line);
    const Document document = example.command->view(example.answer.get());
    const SheetCells cells = workbook_cells(to_xlsx(document));
    std::vector<std::string> printed = cells.texts;
    for (const double value : cells.numbers) printed.push_back(number_key(value));
    std::map<std::string, int> once = needed(document, workbook_key);
    for (auto& [key, count] : once) count = 1;
    CHECK(missing(once, printed) == "");
  }
}
