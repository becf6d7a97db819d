#include <fmt/format.h>

#include <algorithm>

#include "planner/present/text.hpp"
#include "planner/report/document.hpp"
#include "planner/report/html_parts.hpp"
#include "planner/report/markdown.hpp"

namespace planner::html {

namespace {

std::string cell(const Json& value) {
  if (value.is_null()) return "<td class=\"none\">–</td>";
  if (value.is_boolean()) return value.get<bool>() ? "<td>yes</td>" : "<td>no</td>";
  if (value.is_number_integer()) return "<td>" + grouped(value.get<std::int64_t>()) + "</td>";
  if (value.is_number()) return "<td>" + readable(value.get<double>()) + "</td>";
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return "<td class=\"words\">" + html_escaped(text) + "</td>";
}

/// The first column names the row.
std::string row(const std::vector<Json>& cells) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool names = i == 0 && cells[i].is_string();
    html += names ? "<th scope=\"row\">" + html_escaped(cells[i].get<std::string>()) + "</th>"
                  : cell(cells[i]);
  }
  return html + "</tr>\n";
}

}  // namespace

std::string data_table(const DataTable& data, int level) {
  std::string head, body;
  for (std::size_t i = 0; i < data.header.size(); ++i) {
    const bool numbers = std::any_of(data.rows.begin(), data.rows.end(),
                                     [i](const auto& cells) { return cells[i].is_number(); });
    head += fmt::format("<th scope=\"col\"{}>{}</th>", numbers ? "" : " class=\"words\"",
                        html_escaped(data.header[i]));
  }
  for (const auto& cells : data.rows) body += row(cells);
  return fmt::format(
      "<section>{}<div class=\"scroll\"><table class=\"plain\"><thead><tr>{}</tr></thead>\n"
      "<tbody>\n{}</tbody></table></div></section>\n",
      data.title.empty() ? "" : fmt::format("<h{0}>{1}</h{0}>\n", level, html_escaped(data.title)),
      head, body);
}

std::string document_body(const Document& document, const std::string& charts) {
  std::string html = fmt::format("<header><h1>{}</h1></header>\n", html_escaped(document.title));
  for (const std::string& paragraph : document.paragraphs) {
    html += "<p>" + html_escaped(paragraph) + "</p>\n";
  }
  if (document.tables.empty()) html += charts;
  for (std::size_t i = 0; i < document.tables.size(); ++i) {
    html += data_table(document.tables[i]);
    if (i == 0) html += charts;
  }
  if (document.notes.empty()) return html;
  html += "<section id=\"notes\"><h2>Notes</h2>\n<ul>\n";
  for (const std::string& note : document.notes) html += "<li>" + html_escaped(note) + "</li>\n";
  return html + "</ul></section>\n";
}

}  // namespace planner::html
