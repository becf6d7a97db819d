#include "planner/present/markdown/markdown.hpp"

#include <doctest/doctest.h>

using namespace planner::present;

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
  Document document{.title = "T"};
  document.add(Text{.text = "Words."});
  document.add(Section{"Bill"});
  Table table{.header = {"item", "total"}};
  table.add({words("switch"), number(1234567.5, "USD")});
  table.add({words("cable"), none()});
  document.add(std::move(table));
  document.add(Section{"Notes"});
  document.add(List{{"a note"}});
  CHECK(to_markdown(document) ==
        "# T\n\nWords.\n\n## Bill\n\n| item | total |\n| --- | ---: |\n"
        "| switch | 1,234,568 USD |\n| cable | – |\n\n## Notes\n\n- a note\n");
}
