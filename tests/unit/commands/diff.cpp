#include "planner/commands/diff/diff.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace planner::commands;
using Json = nlohmann::ordered_json;

namespace {

DiffAnswer compared(const char* a, const char* b) {
  DiffAnswer result;
  compare_answers(Json::parse(a), Json::parse(b), {"item"}, result);
  return result;
}

}  // namespace

TEST_CASE("only what differs is listed, with absolute and relative difference") {
  const DiffAnswer result =
      compared(R"({"x": 2, "same": 1, "m": {"y": 10}})", R"({"x": 3, "same": 1, "m": {"y": 5}})");
  REQUIRE(result.rows.size() == 2);
  CHECK(result.same == 1);
  CHECK(result.rows[0] == DiffRow{.section = "", .name = "x", .a = 2.0, .b = 3.0});
  CHECK(*result.rows[0].difference() == 1);
  CHECK(*result.rows[0].relative() == 0.5);
  CHECK(result.rows[1].section == "m");
  CHECK(*result.rows[1].relative() == -0.5);
}

TEST_CASE("list elements belong together by name, not by place") {
  const DiffAnswer result = compared(R"([{"item": "switch", "n": 1}, {"item": "cable", "n": 2}])",
                                     R"([{"item": "cable", "n": 2}, {"item": "switch", "n": 4}])");
  REQUIRE(result.rows.size() == 1);
  CHECK(result.rows[0] == DiffRow{.section = "switch", .name = "n", .a = 1.0, .b = 4.0});
}

TEST_CASE("what only one side has is shown against nothing") {
  const DiffAnswer result = compared(R"({"a": 1, "o": {"p": true}})", R"({"b": "word"})");
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0] == DiffRow{.section = "", .name = "a", .a = 1.0, .b = {}});
  CHECK(result.rows[1] == DiffRow{.section = "", .name = "b", .a = {}, .b = std::string{"word"}});
  CHECK(result.rows[2] == DiffRow{.section = "o", .name = "p", .a = true, .b = {}});
  CHECK(!result.rows[0].difference());
}

TEST_CASE("no percentage of nothing, twins are told apart, null is nothing") {
  CHECK(!compared(R"({"x": 0})", R"({"x": 1})").rows[0].relative());
  CHECK(compared(R"({"x": null})", R"({})").rows.empty());
  CHECK(compared(R"([{"item": "a", "n": 1}, {"item": "a", "n": 2}])",
                 R"([{"item": "a", "n": 1}, {"item": "a", "n": 3}])")
            .rows[0]
            .section == "a (2)");
}
