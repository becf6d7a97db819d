#include <fmt/format.h>

#include <cmath>

#include "planner/present/text.hpp"
#include "planner/report/html_parts.hpp"

namespace planner::html {

namespace {

std::string sort_value(std::optional<double> value) {
  return value ? fmt::format(R"( data-value="{}")", *value) : std::string{};
}

/// The amount, what holds it, or that it is missing.
std::string amount(std::optional<double> value, const Json& line, bool relative) {
  if (value) return full_money(*value, relative);
  const std::string included = text(line, {"included_in"});
  if (included.empty()) return R"(<span class="missing">no price</span>)";
  return fmt::format(R"(<span class="least">in {}</span>)", html_escaped(included));
}

/// "$30,000 to $48,000" under an expected price that is one of a range.
std::string range(const Json& line, bool relative) {
  const auto low = number(line, {"unit_price_range", "low"});
  const auto high = number(line, {"unit_price_range", "high"});
  if (!low || !high || *low == *high) return {};
  return fmt::format(R"(<span class="delta">{} to {}</span>)", full_money(*low, relative),
                     full_money(*high, relative));
}

std::optional<double> money(const Json& line, const std::string& name) {
  const Json& found = money_at(line, name);
  return found.is_number() ? std::optional{found.get<double>()} : std::nullopt;
}

std::string line_row(const Json& line, bool relative, Sources& sources) {
  const auto quantity = number(line, {"quantity"});
  const auto unit = money(line, "unit_price"), total = money(line, "total");
  const auto power = number(line, {"power_w"});
  const std::string included = text(line, {"included_in"});
  const std::size_t source = sources.add(line, "the price of " + text(line, {"item"}));
  const std::string each =
      unit ? full_money(*unit, relative) + range(line, relative) : std::string{};
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td{} class=\"quantity\">{}</td><td{} class=\"each\">{}</td>"
      "<td{} class=\"total\">{}</td><td{} class=\"power\">{}</td>"
      "<td class=\"source\">{}{}</td></tr>\n",
      html_escaped(text(line, {"item"})), sort_value(quantity),
      quantity ? grouped(std::llround(*quantity)) : "", sort_value(unit), each, sort_value(total),
      amount(total, line, relative), sort_value(power),
      power ? significant(*power / 1000) + " kW" : R"(<span class="least">not known</span>)",
      html_escaped(text(line, {"as_of"})), reference(source));
}

std::string total_row(const Json& cluster) {
  const Sum capex = capital_cost(cluster);
  const auto power = number(cluster, {"power_w", "it"});
  const bool power_bound = number(cluster, {"power_w", "lines_without_power"}).value_or(0) > 0;
  return fmt::format(
      "<tfoot><tr><th scope=\"row\">Capital cost</th><td></td><td></td><td class=\"total\">{}{}"
      "</td><td class=\"power\">{}{}</td><td></td></tr></tfoot>",
      capex.at_least && capex.amount ? "at least " : "",
      capex.amount ? full_money(*capex.amount, is_relative(cluster)) : "not known",
      power_bound ? "at least " : "", power ? significant(*power / 1000) + " kW" : "");
}

std::string bill(const Json& cluster, const std::string& name, Sources& sources) {
  const bool relative = is_relative(cluster);
  const std::string full = text(cluster, {"title"});  // where its short name is not part of it
  std::string rows;
  const Json& lines = at(cluster, {"lines"});
  for (const Json& line : lines.is_array() ? lines : Json::array()) {
    rows += line_row(line, relative, sources);
  }
  std::string head;
  for (const char* title : {"Item", "Quantity", "Each", "Total", "Power", "Price as of"}) {
    head += fmt::format(R"(<th scope="col"><button type="button">{}</button></th>)", title);
  }
  return fmt::format(
      "<h3>{}</h3>\n<p class=\"hint\">{}Prices: {}{}</p>\n<div class=\"scroll\"><table "
      "class=\"bill\"><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>{}</table></div>\n",
      html_escaped(name), full.ends_with(name) ? std::string{} : html_escaped(full) + ". ",
      html_escaped(text(cluster, {"price_book"})),
      relative ? ", in its relative units" : ", in US dollars", head, rows, total_row(cluster));
}

}  // namespace

std::string bills(Page& page) {
  std::string html = "<section id=\"bills\"><h2>Bill of materials</h2>\n";
  for (std::size_t i = 0; i < page.clusters.size(); ++i) {
    html += bill(page.clusters[i], page.names[i], page.sources);
  }
  return html + "</section>\n";
}

}  // namespace planner::html
