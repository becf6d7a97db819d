// One document in every format: each says the same figures in the same words.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "planner/present/csv/csv.hpp"
#include "planner/present/html/html.hpp"
#include "planner/present/markdown/markdown.hpp"
#include "planner/present/terminal/terminal.hpp"

using namespace planner;
using namespace planner::present;

namespace {

Document example() {
  Document document{.title = "A network"};
  document.add(Section{"Cost", "US dollars"});
  const Estimate<Money> range{Money::cents(100'000'000), Money::cents(120'000'000),
                              Money::cents(140'000'000)};
  document.add(Facts{{{"capex", at_least(true, money(range))}, {"opex", unknown()}}});
  Table table{.header = {"part", "time"}};
  table.add({words("leaf"), time(Seconds{3.4159})});
  table.add({words("spine"), none()});
  document.add(std::move(table));
  document.detail(List{{"more than a terminal has room for"}});
  return document;
}

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("people read the same words in every format") {
  const Document document = example();
  const std::string terminal = to_terminal(document, {});
  for (const std::string& text : {terminal, to_markdown(document), to_html(document)}) {
    CAPTURE(text);
    CHECK(says(text, "at least $1.20 M ($1.00 M–$1.40 M)"));
    CHECK(says(text, "unknown"));
    CHECK(says(text, "3.42 s"));
    CHECK(says(text, "US dollars"));
  }
  CHECK_FALSE(says(terminal, "more than a terminal"));
  CHECK(says(to_markdown(document), "more than a terminal"));
}

TEST_CASE(
    "programs read plain values with their units, ends and bounds; the first table is first") {
  CHECK(to_csv(example()) ==
        "part,time (s)\r\n"
        "leaf,3.4159\r\n"
        "spine,\r\n"
        "\r\n"
        "Cost\r\n"
        "figure,value (USD),\"value, low\",\"value, high\",\"value, at least\"\r\n"
        "capex,1200000,1000000,1400000,true\r\n"
        "opex,unknown,,,\r\n");
}

TEST_CASE("a terminal shows sections, facts and tables in columns") {
  CHECK(to_terminal(example(), {}) ==
        "A network\n"
        "\n"
        "  Cost" +
            std::string(64, ' ') +
            "US dollars\n"
            "  capex  at least $1.20 M ($1.00 M–$1.40 M)\n"
            "  opex                              unknown\n"
            "  part     time\n"
            "  leaf   3.42 s\n"
            "  spine       –\n");
}

TEST_CASE("alternatives that differ are marked, and compared with the first") {
  Document document{.title = "Two"};
  Table table{.header = {"", "a", "b"}, .compares = true};
  table.rows.push_back({{words("cost"), number(100), number(125)}, Better::lower});
  table.rows.push_back({{words("tiers"), count(2), count(2)}});
  document.add(std::move(table));
  CHECK(says(to_terminal(document, {}), "cost   100  125  ≠\n"));
  CHECK(says(to_terminal(document, {}), "tiers    2    2\n"));
  const std::string page = to_html(document);
  CHECK(says(page, R"(<span class="delta bad">+25.0 %</span>)"));
  CHECK(says(page, R"(<tr class="same"><th scope="row">)"));
}

TEST_CASE("what is told in another unit is no share of the first") {
  Document document{.title = "Two"};
  Table table{.header = {"", "a", "b"}, .compares = true};
  table.rows.push_back(
      {{words("cost"), number(100, "USD"), number(125, "relative")}, Better::lower});
  document.add(std::move(table));
  CHECK(!says(to_html(document), "+25.0 %"));
}

TEST_CASE("a row that is shorter than its table has all its cells on a page") {
  Document document{.title = "Short"};
  Table table{.header = {"tier", "switches", "ports"}};
  table.add({words("total"), count(3)});
  document.add(std::move(table));
  CHECK(says(to_html(document), "<td>3</td><td></td></tr>"));
}

TEST_CASE("nothing in a name is markup, a formula or an order to the terminal") {
  Document document{.title = "\x1b[31m<b>red</b>"};
  Table table{.header = {"name"}};
  table.add({words("=SUM(A1)")});
  table.add({words("a\u009bb")});
  document.add(std::move(table));
  CHECK_FALSE(says(to_terminal(document, {}), "\x1b"));
  CHECK_FALSE(says(to_terminal(document, {}), "\u009b"));
  CHECK(says(to_csv(document), "'=SUM(A1)"));
  CHECK_FALSE(says(to_csv(document), "\u009b"));
  CHECK_FALSE(says(to_html(document), "<b>"));
  CHECK_FALSE(says(to_markdown(document), "<b>"));
}

TEST_CASE(
    "a comparison that is wider than the terminal goes on below, with the names of its rows") {
  Table table{.header = {"", "[1]", "[2]", "[3]"}, .compares = true};
  table.add({words("capex"), words("at least $1"), words("at least $2"), words("at least $3")});
  Document document{.title = "T"};
  document.add(table);
  CHECK(to_terminal(document, {.width = 40}) ==
        "T\n"
        "                 [1]          [2]\n"
        "  capex  at least $1  at least $2  ≠\n"
        "\n"
        "                 [3]\n"
        "  capex  at least $3  ≠\n");
}
