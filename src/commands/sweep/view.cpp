#include <fmt/format.h>

#include <algorithm>

#include "planner/commands/sweep/sweep.hpp"
#include "planner/present/text.hpp"

namespace planner::commands {

namespace {

using namespace present;

/// The value of an option in words and, where it is one, as a number.
Cell value_cell(const std::string& option, const std::string& text) {
  const std::optional<double> value = number_in(option, text);
  if (!value) return words(text);
  const auto whole = static_cast<std::int64_t>(std::min(*value, 9e15));
  return static_cast<double>(whole) == *value ? count(whole) : number(*value);
}

/// "model gpt1t · gpus 4,096": what all rows share.
std::string shared_by_all(const SweepAnswer& answer) {
  std::string text;
  const auto add = [&text](const std::string& words) {
    text += (text.empty() ? "" : " · ") + words;
  };
  for (const std::string& argument : answer.arguments) add(argument);
  for (const auto& [name, value] : answer.given) {
    add(value.empty() ? name : name + " " + value_cell(name, value).text);
  }
  return text;
}

std::string error_of(const SweepRow& row) {
  return row.reply.errors.empty() ? "" : row.reply.errors.front().message;
}

Table table_of(const SweepAnswer& answer, const SweepLines& sweep, bool with_errors) {
  Table table;
  for (const SweepAxis& axis : answer.axes) table.header.push_back(axis.option);
  if (sweep.parts) table.header.push_back(answer.command->part);
  table.naming = table.header.size();
  for (const SweepFigure& column : sweep.columns) table.header.push_back(column.header);
  if (with_errors) table.header.emplace_back("error");
  for (const auto& [row, line] : sweep.lines) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < answer.axes.size(); ++i) {
      cells.push_back(value_cell(answer.axes[i].option, row->values[i]));
    }
    if (sweep.parts) cells.push_back(line.part);
    for (const SweepFigure& column : sweep.columns) {
      const auto found = std::find_if(line.figures.begin(), line.figures.end(),
                                      [&](const SweepFigure& f) { return f.key == column.key; });
      cells.push_back(found == line.figures.end() ? none() : found->cell);
    }
    if (with_errors) cells.push_back(error_of(*row).empty() ? Cell{} : words(error_of(*row)));
    table.add(std::move(cells));
  }
  return table;
}

/// Each failure once, with its row: "pp 7: …".
List failures(const SweepAnswer& answer) {
  List list;
  for (const SweepRow& row : answer.rows) {
    if (row.reply.errors.empty()) continue;
    std::string where;
    for (std::size_t i = 0; i < answer.axes.size(); ++i) {
      const std::string& option = answer.axes[i].option;
      where += fmt::format("{}{} {}", where.empty() ? "" : ", ", option,
                           value_cell(option, row.values[i]).text);
    }
    list.items.push_back(where + ": " + error_of(row));
  }
  return list;
}

}  // namespace

SweepLines lines_of(const SweepAnswer& answer) {
  SweepLines sweep;
  for (const SweepRow& row : answer.rows) {
    std::vector<SweepLine> lines;
    if (row.reply.has_result()) lines = answer.command->lines(row.reply.answer->value.get());
    if (lines.empty()) lines.emplace_back();  // of a row that failed
    for (SweepLine& line : lines) {
      sweep.parts = sweep.parts || line.part.known();
      sweep.lines.push_back({&row, std::move(line)});
    }
  }
  for (const auto& [row, line] : sweep.lines) {
    for (const SweepFigure& figure : line.figures) {
      const bool varied =
          std::any_of(answer.axes.begin(), answer.axes.end(),
                      [&](const SweepAxis& axis) { return key_of(axis.option) == figure.key; });
      const bool told =
          figure.cell.known() && !(figure.usual && figure.cell.number() == *figure.usual);
      const bool there =
          std::any_of(sweep.columns.begin(), sweep.columns.end(),
                      [&](const SweepFigure& column) { return column.key == figure.key; });
      if (!varied && told && !there) sweep.columns.push_back(figure);
    }
  }
  // In the order in which an answer has them, whichever row has one first.
  std::vector<std::string> order;
  for (const auto& [row, line] : sweep.lines) {
    for (const SweepFigure& figure : line.figures) {
      if (std::find(order.begin(), order.end(), figure.key) == order.end()) {
        order.push_back(figure.key);
      }
    }
  }
  const auto place = [&](const SweepFigure& figure) {
    return std::find(order.begin(), order.end(), figure.key) - order.begin();
  };
  std::stable_sort(sweep.columns.begin(), sweep.columns.end(),
                   [&](const SweepFigure& a, const SweepFigure& b) { return place(a) < place(b); });
  return sweep;
}

Document sweep_view(const SweepAnswer& answer) {
  Document document{.title = "Sweep of " + answer.command->name, .kicker = "Sweep"};
  const SweepLines sweep = lines_of(answer);
  if (const std::string shared = shared_by_all(answer); !shared.empty()) {
    document.detail(Text{.text = shared, .indent = 0});
  }
  const List failed = failures(answer);
  document.blocks.push_back(
      {table_of(answer, sweep, false), failed.items.empty() ? Where::everywhere : Where::terminal});
  if (!failed.items.empty()) document.detail(table_of(answer, sweep, true));
  add_sweep_chart(answer, document);
  if (failed.items.empty()) return document;
  document.blocks.push_back({Section{"Rows that failed"}, Where::terminal});
  document.blocks.push_back({failed, Where::terminal});
  return document;
}

}  // namespace planner::commands
