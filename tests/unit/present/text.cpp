#include "planner/present/text.hpp"

#include <doctest/doctest.h>

using namespace planner;

TEST_CASE("three significant digits, without exponent where people read them") {
  CHECK(significant(0) == "0");
  CHECK(significant(3.4159) == "3.42");
  CHECK(significant(0.4811) == "0.481");
  CHECK(significant(54.72) == "54.7");
  CHECK(significant(9.996) == "10.0");  // carries into the next power of ten
  CHECK(significant(99.96) == "100");
  CHECK(significant(1229.6) == "1,230");
  CHECK(significant(-2.5) == "-2.50");
  CHECK(significant(0.001234) == "0.00123");
  CHECK(significant(0.0001234) == "0.000123");
  CHECK(significant(1e15) == "1e+15");
}

TEST_CASE("durations come in the unit that people use") {
  CHECK(duration(0 * units::second) == "0 s");
  CHECK(duration(86.2e-6 * units::second) == "86.2 µs");
  CHECK(duration(67.6e-3 * units::second) == "67.6 ms");
  CHECK(duration(0.481 * units::second) == "0.481 s");
  CHECK(duration(3.42 * units::second) == "3.42 s");
  CHECK(duration(7560 * units::second) == "2.10 h");
  CHECK(duration(41.3 * units::day) == "41.3 days");
}

TEST_CASE("a bar is filled to an eighth of a cell and is always as wide as asked") {
  CHECK(bar(0, 4) == "░░░░");
  CHECK(bar(1, 4) == "████");
  CHECK(bar(0.5, 4) == "██░░");
  CHECK(bar(0.53125, 4) == "██▏░");
  CHECK(bar(-1, 4) == "░░░░");
  CHECK(bar(7, 4) == "████");
  for (double share = 0; share <= 1; share += 0.01) CHECK(display_width(bar(share, 30)) == 30);
}

TEST_CASE("words are broken at the width, later lines indented") {
  CHECK(wrapped("one two three", 20, 2) == "one two three");
  CHECK(wrapped("one two three", 8, 2) == "one two\n  three");
  CHECK(wrapped("a  b", 20, 0) == "a b");
  CHECK(wrapped("unbreakable", 4, 2) == "unbreakable");
  CHECK(wrapped("µs µs", 5, 0) == "µs µs");  // counts characters, not bytes
  CHECK(wrapped("", 10, 2).empty());
}

TEST_CASE("a number stays with its sign or prefix") {
  CHECK(wrapped("costs, at 10 % a year", 12, 0) == "costs, at\n10 % a year");
  CHECK(wrapped("for the least $719 M (a)", 18, 0) == "for the least\n$719 M (a)");
  CHECK(wrapped("on 8 MPI ranks", 4, 0) == "on 8\nMPI\nranks");
  CHECK(wrapped("2 T_x + 1", 3, 0) == "2\nT_x\n+ 1");
}

TEST_CASE("both ends of a range are in one unit") {
  CHECK(range(43.3 * units::hour, 58.6 * units::hour) == "1.80–2.44 days");
  CHECK(range(3 * units::hour, 5 * units::hour) == "3.00–5.00 h");
  CHECK(range(0.05 * units::second, 2 * units::second) == "50.0 ms to 2.00 s");
}
