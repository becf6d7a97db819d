#include "planner/catalog/locate.hpp"

#include <doctest/doctest.h>

using namespace planner;

namespace {

std::string place_of(std::string_view path) {
  const catalog::CatalogFile file{
      .source_name = "x.json", .text = "{\n  \"a\": {\"b\": 1},\n  \"list\": [10, {\"c\": 2}]\n}"};
  return to_string(catalog::located(file, path, {.code = "x", .message = "wrong", .hint = "fix"}));
}

}  // namespace

TEST_CASE("a finding gets the place of the value it is about") {
  CHECK(place_of("a") == "x.json:2:8: wrong");
  CHECK(place_of("a.b") == "x.json:2:14: wrong");
  CHECK(place_of("list.1.c") == "x.json:3:22: wrong");
}

TEST_CASE("what is not in the file is shown at the nearest value above it") {
  CHECK(place_of("") == "x.json:1:1: wrong");
  CHECK(place_of("nothing") == "x.json:1:1: wrong");
  CHECK(place_of("a.nothing.b") == "x.json:2:8: wrong");
  CHECK(place_of("a.b.c") == "x.json:2:14: wrong");
  CHECK(place_of("list.7") == "x.json:3:11: wrong");
  CHECK(place_of("list.c") == "x.json:3:11: wrong");
}
