#include "planner/present/html/calculation.hpp"

#include <fmt/format.h>

#include "planner/present/html/page.hpp"

namespace planner::present {

namespace {

std::string input(const std::string& attributes, double value, const std::string& label) {
  return fmt::format(
      "<input type=\"number\" step=\"any\" min=\"0\" {} value=\"{:.12g}\" "
      "aria-label=\"{}\">",
      attributes, value, html_escaped(label));
}

/// The unit has a column of its own.
std::string without_unit(const Cell& cell) {
  const std::string unit = " " + cell.unit;
  return cell.text.ends_with(unit) ? cell.text.substr(0, cell.text.size() - unit.size())
                                   : cell.text;
}

std::string row_of(const Calculation::Row& row) {
  const std::string name = html_escaped(row.name), unit = html_escaped(row.cell.unit);
  const double now = row.cell.number().value_or(0);
  const std::string key = html_escaped(row.key);
  const std::string value =
      row.formula.empty()
          ? input(fmt::format("data-key=\"{}\"", key), now, row.name)
          : fmt::format("<output data-key=\"{}\" data-formula=\"{}\" data-value=\"{}\">{}</output>",
                        key, html_escaped(row.formula), now, html_escaped(without_unit(row.cell)));
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n", name, value,
                     unit);
}

std::string price_of(const Bill::Line& line, const Bill& bill) {
  const auto price = line.unit_price.number();
  if (!price) return html_escaped(line.unit_price.text);
  if (line.priced_as) return "as " + html_escaped(bill.lines[*line.priced_as].item);
  return input("data-field=\"price\"", *price, line.item + ", price of one");
}

std::string line_of(const Bill::Line& line, const Bill& bill) {
  const double power =
      line.quantity > 0 ? line.power.number().value_or(0) / static_cast<double>(line.quantity) : 0;
  const std::string as =
      line.priced_as ? fmt::format(" data-priced-as=\"{}\"", *line.priced_as) : "";
  return fmt::format(
      "<tr data-line data-power=\"{}\"{}><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
      power, as, html_escaped(line.item),
      input("data-field=\"quantity\"", static_cast<double>(line.quantity),
            line.item + ", quantity"),
      price_of(line, bill));
}

std::string rows_of(const Calculation& calculation, bool given) {
  std::string html;
  for (const Calculation::Row& row : calculation.rows) {
    if (row.formula.empty() == given) html += row_of(row);
  }
  return html;
}

}  // namespace

std::string html_calculation(const Calculation& calculation, const Bill& bill) {
  std::string lines;
  for (const Bill::Line& line : bill.lines) lines += line_of(line, bill);
  if (!lines.empty()) {
    lines =
        "<details><summary>Change quantities and prices</summary><table><thead><tr><th>item</th>"
        "<th>quantity</th><th>price of one</th></tr></thead><tbody>\n" +
        lines + "</tbody></table></details>\n";
  }
  return "<form class=\"calculation\">\n<table><tbody>\n" + rows_of(calculation, false) +
         "</tbody></table>\n<details open><summary>Change</summary><table><tbody>\n" +
         rows_of(calculation, true) + "</tbody></table></details>\n" + lines +
         "<p><button type=\"reset\">As it was</button></p>\n</form>\n";
}

}  // namespace planner::present
