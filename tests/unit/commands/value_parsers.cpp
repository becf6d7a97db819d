#include "planner/commands/values/value_parsers.hpp"

#include <doctest/doctest.h>

using namespace planner;

TEST_CASE("whole numbers with suffixes of a thousand") {
  CHECK(parse_integer("0", 0, 10).value == 0);
  CHECK(parse_integer("32K", 1, 1'000'000).value == 32'000);
  CHECK(parse_integer("2M", 1, 10'000'000).value == 2'000'000);
  CHECK(parse_integer("1e3", 1, 10'000).value == 1000);
  for (const char* text :
       {"", " ", "-1", "1.5", "nan", "inf", "1e400", "ten", "5x", "0x10", "1,2"}) {
    CAPTURE(text);
    CHECK(!parse_integer(text, 0, 1'000'000).value);
    CHECK(!parse_integer(text, 0, 1'000'000).error.empty());
  }
  CHECK(parse_integer("11", 1, 10).error == "must be a whole number from 1 to 10, not \"11\"");
}

TEST_CASE("positive numbers") {
  CHECK(parse_positive("0.5", 10).value == 0.5);
  CHECK(parse_positive("15T", 1e18).value == 15e12);
  for (const char* text : {"0", "-1", "nan", "inf", "1e400", "", "abc"}) {
    CAPTURE(text);
    CHECK(!parse_positive(text, 1e18).value);
  }
}

TEST_CASE("lists are sorted and without duplicates") {
  CHECK(*parse_integers("4,1,4,2", 1, 100).value == std::vector<std::int64_t>{1, 2, 4});
  CHECK(!parse_integers("1,,2", 1, 100).value);
  CHECK(!parse_integers("1,200", 1, 100).value);
  CHECK(split_list("a,b,") == std::vector<std::string>{"a", "b", ""});
  CHECK(split_list("") == std::vector<std::string>{""});
}
