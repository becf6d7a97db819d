#include "planner/present/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace planner::present {

namespace {

std::vector<DataTable> named_cells(const auto& pairs) {
  DataTable table{.header = {kFigureColumn, "value"}, .rows = {}};
  for (const auto& pair : pairs) table.rows.push_back({words(pair.name), pair.cell});
  return {std::move(table)};
}

/// Rows of named figures in different units have them in a column of their own.
DataTable with_unit_column(DataTable table) {
  if (table.header.size() < 2 || table.header.front() != kFigureColumn) return table;
  std::set<std::string> units;
  for (auto& row : table.rows) {
    const auto number =
        std::find_if(row.begin(), row.end(), [](const Cell& cell) { return cell.is_number(); });
    const std::string unit = number == row.end() ? "" : number->unit;
    if (number != row.end()) units.insert(unit);
    row.resize(table.header.size());
    row.push_back(words(unit));
  }
  table.header.emplace_back("unit");
  if (units.size() > 1) return table;
  table.header.pop_back();
  for (auto& row : table.rows) row.pop_back();
  return table;
}

/// Blocks as tables, by kind.
struct Tables {
  std::vector<DataTable> operator()(const Table& table) const {
    DataTable data{.header = table.header, .rows = {}};
    for (const Table::Row& row : table.rows) {
      if (!row.heads && !row.cells.empty()) data.rows.push_back(row.cells);
    }
    return {std::move(data)};
  }
  std::vector<DataTable> operator()(const Facts& block) const { return named_cells(block.facts); }
  std::vector<DataTable> operator()(const Figures& block) const {
    return named_cells(block.figures);
  }
  std::vector<DataTable> operator()(const Bars& bars) const {
    const bool asides = std::any_of(bars.rows.begin(), bars.rows.end(),
                                    [](const Bars::Row& row) { return !row.aside.empty(); });
    DataTable table{.header = {"part", "value", "share"}, .rows = {}};
    if (asides) table.header.emplace_back("Eq.");
    for (const Bars::Row& row : bars.rows) {
      std::vector<Cell>& cells = table.rows.emplace_back(std::vector<Cell>{
          words(row.name), row.cell, row.why_not.empty() ? share(row.share) : words(row.why_not)});
      if (asides) cells.push_back(words(row.aside));
    }
    return {std::move(table)};
  }
  std::vector<DataTable> operator()(const Bill& bill) const {
    DataTable table{.header = {"item", "category", "quantity", "unit price", "total", "power",
                               "included in", "source", "as of", "note"},
                    .rows = {}};
    for (const Bill::Line& line : bill.lines) {
      table.rows.push_back({words(line.item), words(line.category), count(line.quantity),
                            line.unit_price, line.total, line.power, words(line.included_in),
                            words(line.source), words(line.as_of), words(line.note)});
    }
    if (!bill.total.text.empty()) {
      table.rows.push_back({words("total"), words(""), words(""), words(""), bill.total, words(""),
                            words(""), words(""), words(""), words("")});
    }
    return {std::move(table)};
  }
  std::vector<DataTable> operator()(const Calculation& block) const {
    return named_cells(block.rows);
  }
  std::vector<DataTable> operator()(const Derivation& block) const {
    DataTable table{.header = {"symbol", "meaning", "formula", "in numbers", "value", "printed in"},
                    .rows = {}};
    for (const Derivation::Term& term : block.terms) {
      table.rows.push_back({words(term.symbol), words(term.meaning), words(term.formula),
                            words(term.filled), term.value, words(term.equation)});
    }
    return {std::move(table)};
  }
  std::vector<DataTable> operator()(const auto&) const { return {}; }
};

}  // namespace

std::string unbounded_text(const Cell& cell) {
  return cell.at_least ? cell.text.substr(kAtLeast.size()) : cell.text;
}

std::string phrase_of(const Figure& figure) {
  if (figure.phrase.empty()) return figure.name + " " + figure.cell.text;
  return fmt::format(fmt::runtime(figure.phrase), figure.cell.text);
}

bool differs(const Table::Row& row) {
  return std::any_of(row.cells.begin() + 1, row.cells.end(),
                     [&](const Cell& cell) { return cell.text != row.cells[1].text; });
}

std::string lower_bound_name(const Bill& bill) {
  const auto unpriced = std::count_if(
      bill.lines.begin(), bill.lines.end(),
      [](const Bill::Line& line) { return !line.total.is_number() && line.included_in.empty(); });
  return fmt::format("at least, {} line{} unpriced", unpriced, unpriced == 1 ? "" : "s");
}

std::vector<DataTable> data_of(const Content& content) {
  return std::visit(Tables{}, content);
}

DataTable for_programs(const DataTable& plain_table) {
  const DataTable table = with_unit_column(plain_table);
  std::size_t columns = table.header.size();
  for (const auto& row : table.rows) columns = std::max(columns, row.size());
  static const Cell kEmpty{};
  const auto at = [](const std::vector<Cell>& row, std::size_t i) -> const Cell& {
    return i < row.size() ? row[i] : kEmpty;
  };
  const auto plain = [](double value, const Cell& of) { return number(value, of.unit); };
  DataTable wide{.header = {}, .rows = {table.rows.size(), std::vector<Cell>{}}};
  for (std::size_t i = 0; i < columns; ++i) {
    const std::string name = i < table.header.size() ? table.header[i] : "";
    const auto any = [&](auto&& has) {
      return std::any_of(table.rows.begin(), table.rows.end(),
                         [&](const auto& row) { return has(at(row, i)); });
    };
    const auto add = [&](std::string header, auto&& cell_of) {
      wide.header.push_back(std::move(header));
      for (std::size_t k = 0; k < wide.rows.size(); ++k) {
        wide.rows[k].push_back(cell_of(at(table.rows[k], i)));
      }
    };
    add(with_unit(name, table.rows, i), [&](const Cell& cell) {
      const bool more = cell.is_number() && (cell.ends || cell.at_least);
      return more ? plain(*cell.number(), cell) : cell;
    });
    if (any([](const Cell& cell) { return cell.ends.has_value(); })) {
      for (const auto& [ending, end] : {std::pair{", low", &Ends::low}, {", high", &Ends::high}}) {
        add(name + ending, [&, end = end](const Cell& cell) {
          return cell.ends ? plain((*cell.ends).*end, cell) : words("");
        });
      }
    }
    if (any([](const Cell& cell) { return cell.at_least; })) {
      add(name + ", at least",
          [](const Cell& cell) { return cell.is_number() ? yes_no(cell.at_least) : words(""); });
    }
  }
  return wide;
}

std::string with_unit(const std::string& name, const std::vector<std::vector<Cell>>& rows,
                      std::size_t column) {
  std::string unit;
  for (const auto& row : rows) {
    if (column >= row.size() || !row[column].is_number()) continue;
    if (!unit.empty() && unit != row[column].unit) return name;
    unit = row[column].unit;
    if (unit.empty()) return name;
  }
  return unit.empty() || unit == name ? name : fmt::format("{} ({})", name, unit);
}

}  // namespace planner::present
