#include "planner/report/html.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/report/html_parts.hpp"

using namespace planner;

namespace {

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

/// The page without our own script, which is the same for all answers.
std::string markup_of(const Json& answer) {
  const std::string page = render_html(answer);
  const std::size_t script = page.rfind("<script>");
  return page.substr(0, script);
}

Json answer_with(const std::string& title) {
  const Json line{{"item", title},         {"category", "switches"}, {"quantity", 2},
                  {"unit_price_usd", 0.5}, {"total_usd", 1},         {"power_w", nullptr},
                  {"source", title},       {"as_of", title}};
  const Json cluster{{"name", "one"},
                     {"title", title},
                     {"currency", "USD"},
                     {"capex_usd", 1},
                     {"unpriced_lines", 0},
                     {"capex_by_category", {{"switches", {{"amount", {{"expected", 1}}}}}}},
                     {"lines", Json::array({line})},
                     {"notes", Json::array({title})}};
  return {{"command", "compare"},
          {"result",
           {{"verdict", title},
            {"what_would_change_it", Json::array({title})},
            {"clusters", Json::array({cluster, cluster})}}},
          {"warnings", Json::array({title})}};
}

}  // namespace

TEST_CASE("text is escaped") {
  CHECK(html::html_escaped("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#39;");
  CHECK(html::html_escaped(std::string{"a\x1b[31m\0b", 8}) == "a\uFFFD[31m\uFFFDb");
  CHECK(html::html_escaped("a\u009B\u202Eb") == "a\uFFFD\uFFFDb");
}

TEST_CASE("markup in an answer shows as text, wherever it stands") {
  const std::string page = markup_of(answer_with("</script><script>alert(1)"));
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK_FALSE(has(page, "</script><"));
  CHECK(has(page, "&lt;script&gt;alert(1)"));
  CHECK(has(page, "\\u003cscript>alert(1)"));  // in the data of the charts
}

TEST_CASE("no name turns the line it stands in, nor that of a chart") {
  CHECK_FALSE(has(markup_of(answer_with("a\u202Eb")), "\u202E"));
}

TEST_CASE("the page names nothing to fetch and allows no script but its own") {
  const std::string page = markup_of(answer_with("plain"));
  CHECK(has(page, "default-src 'none'"));
  CHECK(has(page, "script-src 'sha256-"));
  CHECK_FALSE(has(page, "<link rel=\"stylesheet\""));
  CHECK_FALSE(has(page, "src=\""));
}

TEST_CASE("a figure names its source") {
  const std::string page = markup_of(answer_with("list price"));
  CHECK(has(page, "href=\"#source-1\""));
  CHECK(has(page, "<li id=\"source-1\">list price"));
}

TEST_CASE("an answer that is not one of ours still makes a page") {
  for (const Json& answer :
       {Json(nullptr), Json(3), Json::array(), Json::object(), Json{{"result", 5}},
        Json{{"result", {{"clusters", {1, "two", nullptr}}}}},
        Json{{"result", {{"clusters", {{{"lines", {1, nullptr}}, {"economics", {1}}}}}}}}}) {
    CHECK(has(markup_of(answer), "<h1"));
  }
}

TEST_CASE("a model named <script> shows as text") {
  Json answer = answer_with("plain");
  for (Json& cluster : answer["result"]["clusters"]) {
    cluster["training"] = {{"iteration_time_s", 1},
                           {"workload",
                            {{"model", "<script>"},
                             {"model_title", "<script>alert('model')</script>"},
                             {"global_batch", 8},
                             {"sequence", 2048},
                             {"precision", "bf16"}}}};
  }
  const std::string page = markup_of(answer);
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK(has(page, "&lt;script&gt;alert(&#39;model&#39;)&lt;/script&gt;"));
}
