// `planner schema`: what is printed follows from the registry, whole and without loose ends.
#include "planner/commands/schema/schema.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/core/error_codes.hpp"
#include "support/examples.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;
using json::Json;

namespace {

Json printed(const std::string& type) {
  Context context{.catalog = shipped()};
  return Json::parse(describe_type({{type}}, context).schema);
}

}  // namespace

TEST_CASE("every type is a JSON Schema of the same draft, with a title") {
  CHECK(schema_types().size() > 15);
  for (const std::string& type : schema_types()) {
    CAPTURE(type);
    const Json schema = printed(type);
    CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
    CHECK_FALSE(schema.at("title").get<std::string>().empty());
  }
}

TEST_CASE("a request is of one of the commands, with its options and no others") {
  const Json all = printed("request").at("oneOf");
  REQUIRE(all.size() == registry().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Command& command = registry()[i];
    CAPTURE(command.name);
    CHECK(all[i]["properties"]["command"]["const"] == command.name);
    const Json& options = all[i]["properties"]["options"];
    CHECK(options["additionalProperties"] == false);
    for (const Command::Option& option : command.options) {
      CHECK(options["properties"].contains(option.info.name));
    }
    const Json& formats = all[i]["properties"]["format"]["enum"];
    CHECK((formats.size() == 1) == command.to_the_letter);
  }
}

TEST_CASE("an answer's schema has a part for every command, and points nowhere else") {
  const Json schema = printed("answer");
  const Json& definitions = schema.at("$defs");
  for (const Command& command : registry()) {
    CAPTURE(command.name);
    CHECK(definitions.contains("result_" + command.name) == !command.replays);
  }
  std::set<std::string> seen;
  const std::function<void(const Json&)> visit = [&](const Json& part) {
    for (const auto& [key, value] : part.items()) {
      if (key == "$ref" && value.is_string()) seen.insert(value);
      if (value.is_structured()) visit(value);
    }
  };
  visit(schema);
  CHECK(seen.size() > registry().size());
  for (const std::string& reference : seen) {
    CAPTURE(reference);
    REQUIRE(reference.starts_with("#/$defs/"));
    CHECK(definitions.contains(reference.substr(8)));
  }
}

TEST_CASE("errors are listed with their exit codes") {
  const Json all = printed("errors").at("oneOf");
  CHECK(all.size() == kErrorCodes.size());
  CHECK(all[0]["const"] == kErrorCodes[0].code);
}

TEST_CASE("an unknown type is an error that names the one that was meant") {
  Context context{.catalog = shipped()};
  CHECK_THROWS_WITH_AS(describe_type({{"modle"}}, context), "no file type is called \"modle\"",
                       InputError);
  CHECK_THROWS_AS(describe_type({}, context), UsageError);
}
