#include "planner/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "planner/present/html/page.hpp"
#include "planner/present/text.hpp"
#include "planner/report/charts.hpp"
#include "planner/report/html_parts.hpp"

namespace planner {

namespace {

using namespace html;

/// The words that all titles begin with: "GPT-1T on 32,768 GPUs".
std::string common_words(const Page& page) {
  if (page.clusters.size() < 2) return {};
  const std::string title = text(page.clusters.front(), {"title"});
  if (!title.ends_with(page.names.front())) return {};
  std::string words = title.substr(0, title.size() - page.names.front().size());
  while (!words.empty() && std::string_view{" ,:"}.find(words.back()) != std::string_view::npos) {
    words.pop_back();
  }
  return words;
}

/// What a cluster's cost comes to, in one sentence.
std::string cost_sentence(const Json& cluster) {
  const Sum capex = capital_cost(cluster);
  const bool relative = is_relative(cluster);
  std::string sentence = text(cluster, {"title"}) + ": ";
  sentence += capex.amount
                  ? (capex.at_least ? "at least " : "") + short_money(*capex.amount, relative) +
                        (relative ? " price units to buy" : " to buy")
                  : "capital cost not known";
  if (const auto opex = number(cluster, {"opex_usd_per_year"})) {
    sentence += ", " + short_money(*opex, false) + " a year to run";
  }
  if (const auto days = number(cluster, {"training", "days"})) {
    sentence += fmt::format(", {} days for the training run", significant(*days));
  } else if (const auto time = number(cluster, {"training", "iteration_time_s"})) {
    sentence += ", " + duration(*time * units::second) + " per iteration";
  }
  return sentence + ".";
}

std::string verdict_sentence(const Page& page) {
  const std::string sentence = text(page.answer, {"result", "verdict"});
  if (!sentence.empty()) return in_short(sentence, page);
  return page.clusters.empty() ? "There is no answer to show" : cost_sentence(page.clusters[0]);
}

std::string errors(const Json& answer) {
  const Json& list = at(answer, {"errors"});
  if (!list.is_array() || list.empty()) return {};
  std::string items;
  for (const Json& error : list) {
    items +=
        fmt::format("<li>{} <span class=\"delta\">{}</span></li>\n",
                    html_escaped(text(error, {"message"})), html_escaped(text(error, {"hint"})));
  }
  return "<section id=\"errors\"><h2>Errors</h2>\n<ul>\n" + items + "</ul></section>\n";
}

/// @param legend  what colours mean in all of them
std::string chart_figures(const Json& charts, std::string_view legend) {
  if (charts.empty()) return {};
  std::string figures;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const Json& spec = charts[i]["spec"];
    figures += fmt::format(
        "<figure id=\"{}\"><figcaption><h3>{}</h3><p class=\"hint\">{}</p></figcaption>"
        "<div class=\"chart\" data-chart=\"{}\"></div></figure>\n",
        html_escaped(text(charts[i], {"name"})), html_escaped(text(spec, {"title", "text"})),
        html_escaped(text(spec, {"title", "subtitle"})), i);
  }
  return "<section id=\"charts\"><h2>Charts</h2>\n" + std::string{legend} +
         "<noscript><p>The charts need JavaScript; all their figures are in the tables."
         "</p></noscript>\n<div class=\"charts\">" +
         figures + "</div></section>\n";
}

std::string turns(const Page& page) {
  const Json& list = at(page.answer, {"result", "what_would_change_it"});
  if (!list.is_array() || list.empty()) return {};
  std::string items;
  for (const Json& turn : list) {
    if (turn.is_string())
      items += "<li>" + html_escaped(in_short(turn.get<std::string>(), page)) + "</li>\n";
  }
  return "<section id=\"turns\"><h2>What would change the verdict</h2>\n<ul>\n" + items +
         "</ul></section>\n";
}

std::string document_html(const nlohmann::ordered_json& answer) {
  const Document document = document_of(answer);
  const Json drawn = charts(answer);
  return present::html_head(document.title) + "<body>\n<main>\n" + errors(answer) +
         document_body(document, chart_figures(drawn, {})) + "</main>\n" +
         (drawn.empty() ? "" : present::html_drawing(drawn)) + "</body>\n</html>\n";
}

constexpr std::string_view kClusterColours =
    "<p class=\"hint\">In every chart <span class=\"swatch compute\"></span> blue is computing, "
    "<span class=\"swatch move\"></span> orange moves data between GPUs, "
    "<span class=\"swatch rest\"></span> grey is the rest.</p>\n";

std::string cluster_html(const nlohmann::ordered_json& answer) {
  Page page{.answer = answer, .clusters = clusters_of(answer), .names = {}};
  page.names = short_names(page.clusters);
  const bool many = page.clusters.size() > 1;
  const Json drawn = charts(answer);
  const std::string title =
      many ? fmt::format("{} clusters compared", page.clusters.size()) : "Cost of a cluster";

  constexpr std::size_t kLong = 180;  // more than three lines of a headline
  const std::string sentence = verdict_sentence(page), common = common_words(page);
  std::string body =
      fmt::format("<body>\n<main>\n<header><p class=\"kicker\">{}</p>\n<h1{}>{}</h1></header>\n",
                  html_escaped(common.empty() ? title : title + " · " + common),
                  sentence.size() > kLong ? " class=\"long\"" : "", html_escaped(sentence));
  body += errors(answer);
  if (!page.clusters.empty()) {
    body += side_by_side(page);
    body += chart_figures(drawn, kClusterColours);
    body += html::expected(page);
    body += bills(page);
    body += turns(page);
    body += assumptions(page);
    body += source_list(page);
    body += warnings(page);
    body += unknowns(page);
  }
  body += "</main>\n" + present::html_drawing(drawn) + "</body>\n</html>\n";
  return present::html_head(title) + body;
}

}  // namespace

std::string render_html(const nlohmann::ordered_json& answer) {
  const std::string command = text(answer, {"command"});
  const bool of_clusters = command.empty() || command == "cost" || command == "compare";
  return of_clusters ? cluster_html(answer) : document_html(answer);
}

}  // namespace planner
