#include "planner/present/markdown/markdown.hpp"

#include <doctest/doctest.h>

#include "planner/report/markdown.hpp"

using namespace planner;
using planner::present::markdown_escaped;

TEST_CASE("names cannot leave their cell nor become markup") {
  CHECK(markdown_escaped("a|b") == "a\\|b");
  CHECK(markdown_escaped("<script>") == "&lt;script>");
  CHECK(markdown_escaped("A & B") == "A &amp; B");
  CHECK(markdown_escaped("*bold* `code` [link](x) _it_ # h") ==
        "\\*bold\\* \\`code\\` \\[link\\](x) \\_it\\_ \\# h");
  CHECK(markdown_escaped("two\nlines") == "two lines");
  CHECK(markdown_escaped("a\u009B\u202Eb") == "a  b");
  CHECK(markdown_escaped("back\\slash") == "back\\\\slash");
}

TEST_CASE("a document: title, tables with numbers set right, notes") {
  const Document document{.title = "T",
                          .paragraphs = {"Words."},
                          .tables = {{.title = "Bill",
                                      .header = {"item", "total (USD)"},
                                      .rows = {{"switch", 1234567.5}, {"cable", nullptr}}}},
                          .notes = {"a note"}};
  CHECK(to_markdown(document) ==
        "# T\n\nWords.\n\n## Bill\n\n| item | total (USD) |\n| --- | ---: |\n"
        "| switch | 1,234,567.50 |\n| cable | – |\n\n## Notes\n\n- a note\n");
}
