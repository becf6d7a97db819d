// Requests as JSON: the options' readers, and errors for all that is not a request.
#include "planner/commands/request_json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace planner;
using namespace planner::commands;

namespace {

Diagnostic problem_of(const std::string& text) {
  const JsonRequest read = read_json_request(text);
  REQUIRE(read.problem);
  return *read.problem;
}

}  // namespace

TEST_CASE("values are read as if they were typed") {
  const JsonRequest read = read_json_request(
      R"({"command": "optimize", "format": "csv",
          "options": {"model": "gpt1t", "gpus": 1e3, "memory": 79.5, "tp": [8, "1", 2.0],
                      "recompute": ["none", "full"], "all-axes": true, "pp": null,
                      "explain": false, "sequence-parallel": false, "tokens": "1.5T"}})");
  CHECK_FALSE(read.problem);
  CHECK(read.format == "csv");
  const auto& given = read.call.options;
  CHECK(read.call.command == "optimize");
  const std::vector<std::pair<std::string, std::string>> typed{
      {"model", "gpt1t"},           {"gpus", "1000"}, {"tokens", "1.5T"},
      {"memory", "79.5"},           {"tp", "8,1,2"},  {"recompute", "none,full"},
      {"no-sequence-parallel", ""}, {"all-axes", ""}};
  CHECK(given.size() == typed.size());
  for (const auto& option : typed) {
    CAPTURE(option.first);
    CHECK(std::find(given.begin(), given.end(), option) != given.end());
  }
}

TEST_CASE("arguments") {
  const JsonRequest read = read_json_request(R"({"command": "show", "arguments": ["a", "b"]})");
  CHECK_FALSE(read.problem);
  CHECK(read.call.arguments == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what is wrong is said in the command line's words") {
  const auto gpus = problem_of(R"({"command": "network", "options": {"gpus": true}})");
  CHECK(gpus.code == "usage");
  CHECK(gpus.message == "--gpus: must be a whole number from 1 to 1000000000000, not \"true\"");
  const auto flag = problem_of(R"({"command": "network", "options": {"gpu": 1}})");
  CHECK(flag.message == "unknown flag \"--gpu\"");
  CHECK(flag.hint == "did you mean \"--gpus\"?");
  for (const char* const control : {R"(\u001b)", R"(\u009b)"}) {
    const auto model = problem_of(R"({"command": "estimate", "options": {"model": "a)" +
                                  std::string{control} + R"("}})");
    CHECK(model.message == "--model: must not hold control characters");
  }
  const auto other = problem_of(R"({"command": "list", "options": {"gpus": 1}})");
  CHECK(other.message == "unknown flag \"--gpus\"");
}

TEST_CASE("commands that only print") {
  const auto printed = problem_of(R"({"command": "completion", "arguments": ["bash"]})");
  CHECK(printed.code == "usage");
  CHECK(printed.message == "\"completion\" is a command of the command line only");
  CHECK(printed.hint == "planner completion SHELL");
}

TEST_CASE("what is not a request is located") {
  const auto misspelt = problem_of("{\"command\": \"list\",\n  \"argument\": []}");
  CHECK(misspelt.hint == "did you mean \"arguments\"?");
  CHECK(misspelt.file == "<request>");
  CHECK(misspelt.line == 2);
  CHECK(misspelt.column == 3);
  CHECK(problem_of("").code == "syntax");
  CHECK(problem_of("7").code == "wrong-type");
  CHECK(problem_of(R"({"command": "list", "arguments": [1]})").code == "wrong-type");
  CHECK(problem_of(R"({"command": "list", "options": {"data-dir": "a", "data-dir": "b"}})").code ==
        "duplicate-key");
  CHECK(problem_of(std::string(100'000, '[')).code == "too-deep");
}
