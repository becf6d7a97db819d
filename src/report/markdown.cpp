#include "planner/report/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/present/markdown/markdown.hpp"
#include "planner/present/text.hpp"

namespace planner {

namespace {

using present::markdown_escaped;

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "–";
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (cell.is_number_integer()) return grouped(cell.get<std::int64_t>());
  if (cell.is_number()) return readable(cell.get<double>());
  return markdown_escaped(cell.is_string() ? cell.get<std::string>() : cell.dump());
}

bool is_numeric(const DataTable& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return row[column].is_number(); });
}

void add_table(const DataTable& table, std::string& text) {
  if (!table.title.empty()) text += "\n## " + markdown_escaped(table.title) + '\n';
  text += "\n|";
  for (const std::string& name : table.header) text += ' ' + markdown_escaped(name) + " |";
  text += "\n|";
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    text += is_numeric(table, i) ? " ---: |" : " --- |";
  }
  text += '\n';
  for (const auto& row : table.rows) {
    text += '|';
    for (const Json& cell : row) text += ' ' + cell_text(cell) + " |";
    text += '\n';
  }
}

}  // namespace

std::string readable(double value) {
  if (std::abs(value) < 1 || std::abs(value) >= 1e15) return significant(value);
  const std::int64_t hundredths = std::llround(value * 100);
  const std::int64_t decimals = std::abs(hundredths % 100);
  std::string text = grouped(hundredths / 100);
  if (decimals > 0) text += fmt::format(".{:02}", decimals);
  return text;
}

std::string to_markdown(const Document& document) {
  std::string text = "# " + markdown_escaped(document.title) + '\n';
  for (const std::string& paragraph : document.paragraphs) {
    text += '\n' + markdown_escaped(paragraph) + '\n';
  }
  for (const DataTable& table : document.tables) add_table(table, text);
  if (!document.notes.empty()) text += "\n## Notes\n\n";
  for (const std::string& note : document.notes) text += "- " + markdown_escaped(note) + '\n';
  return text;
}

}  // namespace planner
