#include "planner/report/csv.hpp"

#include <doctest/doctest.h>

using namespace planner;

namespace {

std::string field(const Json& cell) {
  const std::string text = to_csv({.title = "", .header = {"h"}, .rows = {{cell}}});
  REQUIRE(text.starts_with("h\r\n"));
  return text.substr(3, text.size() - 5);
}

}  // namespace

TEST_CASE("fields are quoted where RFC 4180 asks for it") {
  CHECK(field("plain") == "plain");
  CHECK(field("a,b") == "\"a,b\"");
  CHECK(field("64 \"ports\"") == "\"64 \"\"ports\"\"\"");
  CHECK(field("two\nlines") == "\"two\nlines\"");
  CHECK(to_csv({.title = "", .header = {"a", "b"}, .rows = {{1, 2}}}) == "a,b\r\n1,2\r\n");
}

TEST_CASE("numbers are plain, what is not known is empty") {
  CHECK(field(122552320.0) == "122552320");
  CHECK(field(0.75) == "0.75");
  CHECK(field(-3) == "-3");
  CHECK(field(true) == "true");
  CHECK(field(nullptr).empty());
}

TEST_CASE("no text is run as a formula by a spreadsheet") {
  CHECK(field("=1+1") == "'=1+1");
  CHECK(field("+1") == "'+1");
  CHECK(field("-1 switch") == "'-1 switch");
  CHECK(field("@SUM(A1)") == "'@SUM(A1)");
  CHECK(field("\t=1") == "'\t=1");
  CHECK(field("=HYPERLINK(\"http://x\",\"y\")") == "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
  CHECK(to_csv({.title = "", .header = {"=cmd"}, .rows = {}}) == "'=cmd\r\n");
}

TEST_CASE("no text moves the cursor of whoever prints the table") {
  CHECK(field("a\x1b[2Jb\u009B\u202E") == "a?[2Jb??");
  CHECK(field("a\tb") == "a\tb");
}
