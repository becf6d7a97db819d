#include "planner/json/located_json.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "support/documents.hpp"

using namespace planner;
using namespace planner::json;
using namespace planner::testing;
using namespace std::string_literals;

namespace {

/// Line, column and message of the one diagnostic of a text that is not JSON.
std::string fault(const std::string& text) {
  const std::vector<Diagnostic> found = problems_of([&] { parse_json({"f.json", text}); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].file == "f.json");
  return std::to_string(found[0].line) + ":" + std::to_string(found[0].column) + " " +
         found[0].message;
}

std::string hint(const std::string& text) {
  return problems_of([&] { parse_json({"f.json", text}); }).at(0).hint;
}

}  // namespace

TEST_CASE("every value knows where it starts") {
  const std::string text = "{\"a\" : [1, -2.5e3,\n  \"x\\\"y\", true],\"b\":{\"c\":null,\"d\":7}}";
  const JsonNode root = parse_json({"f.json", text});
  CHECK(root.offset == 0);
  const auto& members = *root.get<JsonNode::Object>();
  REQUIRE(members.size() == 2);
  CHECK(members[0].key == "a");
  CHECK(text.substr(members[0].key_offset, 3) == "\"a\"");
  CHECK(text.substr(members[1].key_offset, 3) == "\"b\"");
  const auto& array = *members[0].value.get<JsonNode::Array>();
  REQUIRE(array.size() == 4);
  CHECK(members[0].value.offset == text.find('['));
  CHECK(array[0].offset == text.find("1,"));
  CHECK(array[1].offset == text.find("-2.5"));
  CHECK(array[2].offset == text.find("\"x"));
  CHECK(array[3].offset == text.find("true"));
  CHECK(*array[2].get<std::string>() == "x\"y");
  CHECK(root.find("b")->find("c")->offset == text.find("null"));
  CHECK(root.find("b")->find("d")->offset == text.find("7}"));
  CHECK(root.find("b")->find("none") == nullptr);
  CHECK(array[0].find("a") == nullptr);
}

TEST_CASE("a number at the very end of the text is found too") {
  CHECK(parse_json({"f", " 42"}).offset == 1);
  CHECK(*parse_json({"f", " 42"}).get<std::int64_t>() == 42);
}

TEST_CASE("integers are exact, other numbers are doubles") {
  CHECK(*parse_json({"f", "9223372036854775807"}).get<std::int64_t>() ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(*parse_json({"f", "-9223372036854775808"}).get<std::int64_t>() ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(*parse_json({"f", "9223372036854775808"}).get<std::uint64_t>() == 9223372036854775808U);
  CHECK(*parse_json({"f", "18446744073709551616"}).get<double>() == 18446744073709551616.0);
  CHECK(*parse_json({"f", "2.5"}).get<double>() == 2.5);
}

TEST_CASE("duplicate keys are kept, in file order") {
  const JsonNode root = parse_json({"f", R"({"a": 1, "b": 2, "a": 3})"});
  const auto& members = *root.get<JsonNode::Object>();
  REQUIRE(members.size() == 3);
  CHECK(members[2].key == "a");
  CHECK(*members[2].value.get<std::int64_t>() == 3);
  CHECK(*root.find("a")->get<std::int64_t>() == 1);
}

TEST_CASE("a truncated text names the bracket that is never closed") {
  for (const std::string text : {"{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":{}"}) {
    CHECK(fault(text) == "1:" + std::to_string(text.size() + 1) + " the file ends too early");
    CHECK(hint(text) == "the \"{\" opened at 1:1 is never closed");
  }
  CHECK(hint("{\n \"a\": [1,") == "the \"[\" opened at 2:7 is never closed");
  CHECK(fault("[\"abc") == "1:2 this string is never closed");
  CHECK(fault("[\"a\\\"") == "1:2 this string is never closed");
  CHECK(fault("[\"") == "1:2 this string is never closed");
}

TEST_CASE("an empty text is called empty") {
  CHECK(fault("") == "1:1 the file is empty");
  CHECK(fault("  \n\t") == "2:2 the file is empty");
}

TEST_CASE("what was expected and what stands there") {
  CHECK(fault("{\"a\":1,}") == "1:8 expected a key in double quotes, got \"}\"");
  CHECK(hint("{\"a\":1,}") == "remove the comma before it");
  CHECK(fault("[1,]") == "1:4 expected a value, got \"]\"");
  CHECK(hint("[1,]") == "remove the comma before it");
  CHECK(fault("{\"a\":1\n \"b\":2}") == "2:2 expected \",\" or \"}\", got a string");
  CHECK(fault("[1 2]") == "1:4 expected \",\" or \"]\", got \"2\"");
  CHECK(fault("[1,,2]") == "1:4 expected a value, got \",\"");
  CHECK(fault("{\"a\" 1}") == "1:6 expected \":\" after the key, got \"1\"");
  CHECK(fault("{\"a\"::1}") == "1:6 expected a value, got \":\"");
  CHECK(fault("[01]") == "1:3 expected \",\" or \"]\", got \"1\"");
  CHECK(fault("{a: 1}") == "1:2 expected a key in double quotes or \"}\", got \"a\"");
  CHECK(fault("{} {}") == "1:4 expected the end of the file, got \"{\"");
  CHECK(fault("{\"\\\\\" \"\\\\\"}") == "1:7 expected \":\" after the key, got a string");
  CHECK(fault("]") == "1:1 expected a value, got \"]\"");
  CHECK(fault("{\"a\": tru}") == "1:7 expected a value, got \"tru\"");
  CHECK(fault("[1.]") == "1:2 expected a value or \"]\", got \"1.\"");
  CHECK(fault("garbage") == "1:1 expected a value, got \"garbage\"");
}

TEST_CASE("usual causes are named") {
  CHECK(hint("{'a': 1}") == "JSON strings stand in double quotes");
  CHECK(hint("{\"a\": 1 // one\n}") == "JSON has no comments");
  CHECK(hint("[NaN]") == "JSON has finite numbers only");
  CHECK(hint("[-Infinity]") == "JSON has finite numbers only");
  CHECK(hint("[None]") == "JSON writes true, false and null");
}

TEST_CASE("bad strings") {
  CHECK(fault("[\"abc\n\"]") == "1:2 this string is not closed on its line");
  CHECK(fault("[\"a\\q\"]") == "1:4 this escape is not one of JSON's");
  CHECK(fault("[\"\\u12G4\"]") == "1:3 this escape is not one of JSON's");
  CHECK(fault("[\"\\ud800\"]") == "1:3 this escape is not one of JSON's");
  CHECK(fault("[\"a\x01\"]") == "1:4 control byte 0x01 in a string");
  CHECK(fault("[\"a\xFF\"]") == "1:4 the text is not UTF-8 here (byte 0xFF)");
  CHECK(fault("[\"\xC3(\"]") == "1:4 the text is not UTF-8 here (byte 0x28)");
  CHECK(fault("\x80") == "1:1 expected a value, got byte 0x80");
}

TEST_CASE("bytes that are no text") {
  CHECK(fault("\xEF\xBB\xBF{}") == "1:1 the file starts with a byte order mark");
  CHECK(fault("\xFF\xFE{\0}\0"s) == "1:1 the file starts with a byte order mark");
  CHECK(fault("{}\0garbage"s) == "1:3 a NUL byte in the text");
}

TEST_CASE("a number beyond a double is located") {
  const auto found = problems_of([] { parse_json({"f", "[1,\n  -1e400]"}); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "out-of-range");
  CHECK(found[0].message == "number out of range");
  CHECK(found[0].line == 2);
  CHECK(found[0].column == 3);
}

TEST_CASE("nesting is bounded at 64") {
  const std::string good = std::string(64, '[') + std::string(64, ']');
  CHECK(parse_json({"f", good}).get<JsonNode::Array>() != nullptr);
  const auto found = problems_of([] { parse_json({"f", std::string(200'000, '[')}); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "too-deep");
  CHECK(found[0].column == 65);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  CHECK(problems_of([&] { parse_json({"f", objects}); }).at(0).code == "too-deep");
}

TEST_CASE("size and number of values are bounded") {
  const std::string large((std::size_t{64} << 20) + 1, ' ');
  CHECK(problems_of([&] { parse_json({"f", large}); }).at(0).code == "too-large");
  std::string many = "[";
  for (int i = 0; i < 1'000'000; ++i) many += "1,";
  CHECK(problems_of([&] { parse_json({"f", many + "1]"}); }).at(0).code == "too-large");
}

TEST_CASE("words in messages are made fit for a terminal") {
  CHECK(in_quotes("a\x1b[2J") == "\"a?[2J\"");
  CHECK(in_quotes("a\u009B2J\u202E") == "\"a?2J?\"");
  CHECK(in_quotes(std::string(79, 'a') + "éé") == "\"" + std::string(79, 'a') + "…\"");
}
