// What a table reads, writes and describes: every kind of field and codec that has no type inside.
#include "planner/json/field_table.hpp"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "planner/core/diagnostic.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/json/lifted_field.hpp"

using namespace planner;
using namespace planner::json;

namespace {

enum class Colour { red, green };
constexpr std::array kColours{Colour::red, Colour::green};
constexpr const char* name_of(Colour colour) {
  return colour == Colour::red ? "red" : "green";
}

struct Inner {
  std::int64_t size = 7;
  bool operator==(const Inner&) const = default;
};

struct Outer {
  std::string name = "nameless";
  std::vector<std::int64_t> counts{1, 2, 3};
  std::optional<double> share;
  std::optional<std::string> owner = "somebody";
  Colour colour = Colour::red;
  Seconds time{2};
  Inner part{.size = 9};
  Inner flat{.size = 11};
  std::optional<Inner> maybe;
  bool operator==(const Outer&) const = default;
};

const FieldTable<Inner>& inner_table() {
  static const FieldTable<Inner> table{
      "part", "A part", {optional("size", &Inner::size, integer(1, 100), "of it")}};
  return table;
}

const FieldTable<Outer>& outer_table() {
  using W = Outer;
  const auto flat = [](auto& whole) -> auto& {
    return whole.flat;
  };
  static const FieldTable<W> table{
      "whole",
      "All of it",
      {required("name", &W::name, text(), "of it"),
       optional("counts", &W::counts, list(integer(0, 9)), "of things"),
       optional("share", &W::share, number({0, 1}), "of others"),
       required("owner", &W::owner, or_null(text()), "whose it is"),
       optional("colour", &W::colour, choice(kColours), "to look at"),
       optional("time_ms", &W::time, quantity(1e-3 * units::second, {0, 1e6}), "it takes"),
       optional("part", &W::part, object(inner_table()), "nested"),
       lifted<W, Inner>(flat, required("flat", &Inner::size, integer(1, 100), "beside the others")),
       of_optional<W, Inner>(&W::maybe,
                             optional("maybe", &Inner::size, integer(1, 100), "or not"))}};
  return table;
}

Outer read(const std::string& text) {
  return parse_document(outer_table(), SourceText{.name = "a.json", .text = text});
}

Json written(const Outer& whole) {
  Json out;
  write_object(outer_table(), whole, out);
  return out;
}

}  // namespace

TEST_CASE("what is read takes the place of what was there") {
  const Outer whole = read(R"({"name": "x", "counts": [4], "share": 0.5, "owner": null,
                              "colour": "green", "time_ms": 250, "part": {}, "flat": 3,
                              "maybe": 5})");
  CHECK(whole == Outer{.name = "x",
                       .counts = {4},
                       .share = 0.5,
                       .owner = std::nullopt,
                       .colour = Colour::green,
                       .time = Seconds{0.25},
                       .part = {.size = 7},
                       .flat = {.size = 3},
                       .maybe = Inner{.size = 5}});
  CHECK(read(written(whole).dump()) == whole);
}

TEST_CASE("what is left out stays as C++ has it") {
  const Outer whole = read(R"({"name": "x", "owner": "y", "flat": 1})");
  CHECK(whole == Outer{.name = "x", .owner = "y", .flat = {.size = 1}});
}

TEST_CASE("keys come in the order of the table; what is not there has none") {
  CHECK(written({.counts = {}, .owner = std::nullopt}).dump() ==
        R"({"name":"nameless","owner":null,"colour":"red","time_ms":2000,"part":{"size":9},)"
        R"("flat":11})");
}

TEST_CASE("a schema has each key, what it must be, and its default") {
  Json schema;
  describe_object(outer_table(), schema);
  CHECK(schema["required"] == Json({"name", "owner", "flat"}));
  const Json& keys = schema["properties"];
  CHECK(keys["counts"]["items"]["maximum"] == 9);
  CHECK(keys["counts"]["default"] == Json({1, 2, 3}));
  CHECK_FALSE(keys["share"].contains("default"));
  CHECK(keys["owner"]["oneOf"][1]["type"] == "null");
  CHECK(keys["colour"]["enum"] == Json({"red", "green"}));
  CHECK(keys["colour"]["default"] == "red");
  CHECK(keys["time_ms"]["default"] == 2000);
  CHECK(keys["part"]["properties"]["size"]["default"] == 7);
}

TEST_CASE("everything that is wrong is said, each where it is") {
  std::vector<std::string> said;
  try {
    static_cast<void>(read(R"({"name": "", "counts": [1, 10, "x"], "colour": "blue", "flat": 1,
                              "part": {"size": 0, "sise": 1}})"));
  } catch (const InputError& error) {
    for (const Diagnostic& one : error.diagnostics()) said.push_back(one.code);
  }
  CHECK(said == std::vector<std::string>{"missing-key", "bad-value", "out-of-range", "wrong-type",
                                         "bad-value", "out-of-range", "unknown-key"});
}

TEST_CASE("good values alone; the same values in other ways") {
  const Codec<std::int64_t> even = checked(
      integer(0, 9), [](std::int64_t value, const JsonNode& node, const ReadContext& context) {
        if (value % 2 == 0) return true;
        context.report(node, "bad-value", "is odd");
        return false;
      });
  const auto values = [&](const Codec<std::int64_t>& codec, const char* text) {
    const SourceText source{.name = "a.json", .text = text};
    Problems problems(source);
    return codec.read(parse_json(source), ReadContext{problems, "x"});
  };
  CHECK(values(even, "4") == 4);
  CHECK_FALSE(values(even, "5"));
  CHECK_FALSE(values(even, "12"));
  const auto twice = read_by(even, [even](const JsonNode& node, const ReadContext& context) {
    const auto value = even.read(node, context);
    return value ? std::optional(2 * *value) : std::nullopt;
  });
  CHECK(values(twice, "4") == 8);
  Json schema;
  described(twice, [](Json& any) { any["type"] = "even"; }).describe(schema);
  CHECK(schema["type"] == "even");
}
