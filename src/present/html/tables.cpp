#include "planner/present/html/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/present/blocks.hpp"
#include "planner/present/currency.hpp"
#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"

namespace planner::present {

namespace {

constexpr double kLeastChange = 5e-4;  // relative: less is no difference
constexpr std::size_t kFit = 5;        // more columns scroll sideways

/// A number and its percent sign stay on one line.
std::string unbroken(std::string text) {
  for (std::size_t at = text.find(" %"); at != std::string::npos; at = text.find(" %")) {
    text.replace(at, 1, "\u00A0");
  }
  return html_escaped(text);
}

std::string data_value(const Cell& cell) {
  const auto number = cell.number();
  return number ? fmt::format(R"( data-value="{}")", *number) : std::string{};
}

/// @param label  of its column, for where the columns stand below one another
std::string plain_cell(const Cell& cell, const std::string& label) {
  const std::string of =
      label.empty() ? "" : fmt::format(R"( data-label="{}")", html_escaped(label));
  if (!cell.known()) {
    return fmt::format("<td class=\"none\"{}>{}</td>", of, html_escaped(cell.text));
  }
  const bool words = !cell.is_number() && !std::holds_alternative<bool>(cell.value);
  return fmt::format("<td{}{}>{}</td>", words ? " class=\"words\"" : "", of, unbroken(cell.text));
}

bool names_row(const Cell& first) {
  return !first.is_number();
}

/// The first column names the row.
std::string plain_row(const std::vector<Cell>& cells, const std::vector<std::string>& header,
                      bool labelled) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += i == 0 && names_row(cells[i])
                ? "<th scope=\"row\">" + html_escaped(cells[i].text) + "</th>"
                : plain_cell(cells[i], labelled && i < header.size() ? header[i] : "");
  }
  for (std::size_t i = cells.size(); i < header.size(); ++i) html += "<td></td>";
  return html + "</tr>\n";
}

/// Whether phones show a row's cells below one another, each with its column's name: a few rows
/// with names, of more columns than fit beside one another.
bool stacks(const DataTable& table) {
  constexpr std::size_t kBesideOneAnother = 3, kMostRows = 24;
  return table.header.size() > kBesideOneAnother && table.header.size() <= 2 * kBesideOneAnother &&
         table.rows.size() <= kMostRows &&
         std::all_of(table.rows.begin(), table.rows.end(),
                     [](const auto& cells) { return !cells.empty() && names_row(cells.front()); });
}

std::string plain_table(const DataTable& table) {
  std::string head, body;
  const bool named = std::any_of(table.header.begin(), table.header.end(),
                                 [](const std::string& name) { return !name.empty(); });
  for (std::size_t i = 0; named && i < table.header.size(); ++i) {
    const bool numbers = std::any_of(table.rows.begin(), table.rows.end(), [i](const auto& cells) {
      return i < cells.size() && cells[i].is_number();
    });
    head += fmt::format("<th scope=\"col\"{}>{}</th>", numbers ? "" : " class=\"words\"",
                        html_escaped(table.header[i]));
  }
  if (!head.empty()) head = "<thead><tr>" + head + "</tr></thead>\n";
  const bool stacked = stacks(table);
  for (const auto& cells : table.rows) body += plain_row(cells, table.header, stacked);
  return fmt::format(
      "<div class=\"scroll\"><table class=\"plain{}\">{}<tbody>\n{}</tbody></table></div>\n",
      stacked ? " stacks" : "", head, body);
}

/// "+12.5 %" against the first alternative, where both are complete and in one unit.
std::string delta(const Cell& one, const Cell& reference, Better better) {
  const auto value = one.number(), against = reference.number();
  const bool comparable = value && against && one.unit == reference.unit && !one.at_least &&
                          !reference.at_least && *against != 0 && better != Better::neither;
  if (!comparable) return {};
  const double change = *value / *against - 1;
  if (std::abs(change) < kLeastChange) return {};
  const bool good = (change < 0) == (better == Better::lower);
  return fmt::format(R"(<span class="delta {}">{}{:.1f} %</span>)", good ? "good" : "bad",
                     change < 0 ? "−" : "+", 100 * std::abs(change));
}

std::string compared_cell(const Cell& cell, const Cell& reference, Better better) {
  if (!cell.known()) return "<td class=\"none\">" + html_escaped(cell.text) + "</td>";
  const std::string bound =
      cell.at_least ? R"(<span class="least">at least</span> )" : std::string{};
  return fmt::format("<td{}><span>{}{}<span class=\"value\">{}</span></span></td>",
                     data_value(cell), &cell == &reference ? "" : delta(cell, reference, better),
                     bound, unbroken(unbounded_text(cell)));
}

std::string compared_row(const Table::Row& row, std::size_t columns) {
  const std::string name = html_escaped(row.cells.front().text);
  if (row.heads) {
    return fmt::format("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n",
                       columns, name);
  }
  const bool many = columns > 2;
  const bool sorts = many && std::any_of(row.cells.begin() + 1, row.cells.end(),
                                         [](const Cell& cell) { return cell.is_number(); });
  std::string html = fmt::format(
      R"(<tr{}><th scope="row">{}</th>)", many && !differs(row) ? R"( class="same")" : "",
      sorts ? fmt::format(R"(<button type="button">{}</button>)", name) : name);
  for (std::size_t i = 1; i < row.cells.size(); ++i) {
    html += compared_cell(row.cells[i], row.cells[1], row.better);
  }
  return html + "</tr>\n";
}

std::string compared_table(const Table& table) {
  const std::size_t columns = table.header.size();
  std::string head = R"(<th scope="col" class="corner"></th>)", body;
  for (std::size_t i = 1; i < columns; ++i) {
    head += fmt::format(R"(<th scope="col">{}{}</th>)", html_escaped(table.header[i]),
                        i == 1 && columns > 2 ? R"(<span class="delta">reference</span>)" : "");
  }
  for (const Table::Row& row : table.rows) body += compared_row(row, columns);
  const char* const hint =
      columns > 2 ? "<p class=\"hint\">Rows in grey are the same for all. Percentages are against "
                    "the reference. <span class=\"screen\">Click the name of a row to put the "
                    "columns in its order.</span></p>\n"
                  : "";
  return fmt::format(
      "{}<div class=\"{}\"><table class=\"clusters\" style=\"--clusters:{}\"><thead><tr>{}</tr>"
      "</thead>\n<tbody>\n{}</tbody></table></div>\n",
      hint, columns > kFit ? "scroll" : "fits", columns - 1, head, body);
}

/// The amount, what holds it, or that it is missing; its range below it.
std::string amount(const Cell& cell, const Bill::Line& line) {
  if (!cell.is_number()) {
    return fmt::format(R"(<span class="{}">{}</span>)",
                       line.included_in.empty() ? "missing" : "least", html_escaped(cell.text));
  }
  std::string html = unbroken(cell.text);
  if (cell.ends && cell.ends->low != cell.ends->high) {
    html += fmt::format(R"(<span class="delta">{} to {}</span>)",
                        whole_amount_text(cell.ends->low, cell.unit),
                        whole_amount_text(cell.ends->high, cell.unit));
  }
  return html;
}

/// A link to the source's place in the page's list, or the source itself where it is not there.
std::string bill_source(const Bill::Line& line, const Sources& listed) {
  if (line.source.empty()) return "<td></td>";
  const auto found =
      std::find_if(listed.sources.begin(), listed.sources.end(), [&](const Source& source) {
        return source.text == line.source && source.as_of == line.as_of;
      });
  const std::string mark = line.verified ? "" : R"( <span class="missing">unverified</span>)";
  if (found != listed.sources.end()) {
    return fmt::format(R"(<td class="source"><span class="date">{}</span>{} <a class="ref" )"
                       R"(href="#source-{}">[{}]</a></td>)",
                       html_escaped(line.as_of), mark, found - listed.sources.begin() + 1,
                       found - listed.sources.begin() + 1);
  }
  return fmt::format(
      R"(<td class="words">{}{}{}{}</td>)", html_escaped(line.source),
      line.as_of.empty() ? "" : ", " + html_escaped(line.as_of), mark,
      line.note.empty() ? "" : R"(<span class="delta">)" + html_escaped(line.note) + "</span>");
}

}  // namespace

std::string html_table(const Table& table) {
  if (table.compares) return compared_table(table);
  return html_data(table);
}

std::string html_data(const Content& content) {
  return html_data(std::vector{&content});
}

std::string html_data(const std::vector<const Content*>& contents) {
  std::vector<DataTable> tables;
  for (const Content* const content : contents) {
    for (DataTable& table : data_of(*content)) {
      if (!tables.empty() && tables.back().header == table.header) {
        auto& rows = tables.back().rows;
        rows.insert(rows.end(), table.rows.begin(), table.rows.end());
      } else {
        tables.push_back(std::move(table));
      }
    }
  }
  std::string html;
  for (const DataTable& table : tables) html += plain_table(table);
  return html;
}

std::string html_bill(const Bill& bill, const Sources& listed) {
  std::string body, foot;
  for (const Bill::Line& line : bill.lines) {
    body += fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"words\">{}</td><td{}>{}</td>"
        "<td class=\"each\"{}>{}</td><td class=\"total\"{}>{}</td><td class=\"power\"{}>{}</td>"
        "{}</tr>\n",
        html_escaped(line.item), html_escaped(line.category), data_value(count(line.quantity)),
        grouped(line.quantity), data_value(line.unit_price), amount(line.unit_price, line),
        data_value(line.total), amount(line.total, line), data_value(line.power),
        html_escaped(line.power.text), bill_source(line, listed));
  }
  if (!bill.total.text.empty()) {
    foot = fmt::format(
        "<tfoot><tr><th scope=\"row\">total</th><td></td><td></td><td></td>"
        "<td class=\"total\">{}</td><td></td><td></td></tr></tfoot>\n",
        unbroken(bill.total.text));
  }
  std::string head;
  for (const char* name : {"item", "category", "quantity", "each", "total", "power", "source"}) {
    head += fmt::format(R"(<th scope="col"><button type="button">{}</button></th>)", name);
  }
  return fmt::format(
      "<div class=\"scroll\"><table "
      "class=\"bill\"><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>{}"
      "</table></div>\n",
      head, body, foot);
}

}  // namespace planner::present
