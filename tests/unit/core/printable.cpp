#include "planner/core/printable.hpp"

#include <doctest/doctest.h>

using namespace planner;

TEST_CASE("what a terminal would obey is not printed") {
  CHECK(printable("a\x1b[2Jb") == "a?[2Jb");
  CHECK(printable("a\tb\x7F") == "a?b?");
  CHECK(printable("\u009B31m") == "?31m");
  CHECK(printable("two\nlines") == "two\nlines");
  CHECK(printable("two\nlines", " ", "") == "two lines");
  CHECK(printable("a\tb\x1b", "\uFFFD", "\t") == "a\tb\uFFFD");
}

TEST_CASE("nothing turns the direction of a line") {
  CHECK(printable("\u202Egnp.exe") == "?gnp.exe");
  CHECK(printable("\u202A\u202B\u202C\u202D\u2066\u2067\u2068\u2069") == "????????");
}

TEST_CASE("text of any script is shown as it is") {
  for (const char* const text : {"µ – 日本", "עברית\u200F", "\u061Cعربي", "a\u00A0b", "👩‍💻",
                                 "\U0010FFFD", "\u2029", "\u2065", "\u206A"}) {
    CHECK(printable(text) == text);
    CHECK_FALSE(has_control(text));
  }
  CHECK(printable("").empty());
}

TEST_CASE("bytes that are not UTF-8 are replaced one by one") {
  CHECK(printable("a\xFFz") == "a?z");
  CHECK(printable("\x9Bz") == "?z");               // C1 of eight-bit terminals
  CHECK(printable("\xC0\x9B") == "??");            // overlong ESC
  CHECK(printable("\xE0\x80\x9B") == "???");       // overlong
  CHECK(printable("\xED\xA0\x80") == "???");       // a surrogate
  CHECK(printable("\xF4\x90\x80\x80") == "????");  // beyond U+10FFFF
  CHECK(printable("\xE2\x82") == "??");            // cut
  CHECK(printable("\xE2\x1B[2J") == "??[2J");      // no byte of a broken character hides the next
}

TEST_CASE("control characters are found in every form that UTF-8 has for them") {
  CHECK(has_control("a\x1b"));
  CHECK(has_control("\n"));
  CHECK(has_control("\x7F"));
  CHECK(has_control("\u0080"));
  CHECK(has_control("a\u009B31m"));
  CHECK(has_control("\u009F"));
  CHECK_FALSE(has_control("\u00A0"));
  CHECK_FALSE(has_control("\xFF"));
  CHECK_FALSE(has_control("\u202E"));  // legitimate, if odd: shown as a question mark
}
