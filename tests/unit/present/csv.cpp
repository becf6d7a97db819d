#include "planner/present/csv/csv.hpp"

#include <doctest/doctest.h>

using namespace planner::present;

namespace {

std::string field(const Cell& cell) {
  Document document;
  Table table{.header = {"h"}};
  table.add({cell});
  document.add(std::move(table));
  const std::string text = to_csv(document);
  REQUIRE(text.starts_with("h\r\n"));
  return text.substr(3, text.size() - 5);
}

}  // namespace

TEST_CASE("fields are quoted where RFC 4180 asks for it") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("64 \"ports\"") == "\"64 \"\"ports\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
}

TEST_CASE("numbers are plain, what is not known is said or empty") {
  CHECK(field(number(122552320.0)) == "122552320");
  CHECK(field(number(0.75)) == "0.75");
  CHECK(field(count(-3)) == "-3");
  CHECK(field(yes_no(true)) == "true");
  CHECK(field(Cell{}).empty());
}

TEST_CASE("no text is run as a formula by a spreadsheet") {
  CHECK(csv_field("=1+1") == "'=1+1");
  CHECK(csv_field("+1") == "'+1");
  CHECK(csv_field("-1 switch") == "'-1 switch");
  CHECK(csv_field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(csv_field("\t=1") == "'\t=1");
  CHECK(csv_field("=HYPERLINK(\"http://x\",\"y\")") ==
        "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
}

TEST_CASE("no text moves the cursor of whoever prints the table") {
  CHECK(csv_field("a\x1b[2Jb\u009B\u202E") == "a?[2Jb??");
  CHECK(csv_field("a\tb") == "a\tb");
}
