// Every command of the registry: its answer is written, read back into the same value, described
// by its schema and shown.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "planner/commands/command.hpp"
#include "planner/commands/network/network.hpp"
#include "planner/present/csv/csv.hpp"
#include "planner/present/html/html.hpp"
#include "planner/present/markdown/markdown.hpp"
#include "planner/present/terminal/terminal.hpp"
#include "support/examples.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

json::Json written(const Command& command, const void* answer) {
  json::Json out = json::Json::object();
  command.write(answer, out);
  return out;
}

}  // namespace

TEST_CASE(
    "a saved answer reads back into the value that it was: all that is shown of it is the same") {
  for (const auto& [line, which, answer] : examples()) {
    CAPTURE(line);
    const Command& command = *which;
    const json::Json saved = written(command, answer.get());
    const std::string text = saved.dump();
    const json::SourceText source{"saved.json", text};
    json::Problems problems(source);
    const auto again =
        command.read(json::parse_json(source), json::ReadContext{problems, "answer"});
    CHECK_NOTHROW(problems.throw_if_any());
    REQUIRE(again);
    CHECK(written(command, again.get()).dump() == text);
    const present::Document fresh = command.view(answer.get());
    const present::Document read = command.view(again.get());
    CHECK(present::to_terminal(read, {}) == present::to_terminal(fresh, {}));
    CHECK(present::to_csv(read) == present::to_csv(fresh));
    CHECK(present::to_markdown(read) == present::to_markdown(fresh));
    CHECK(present::to_html(read) == present::to_html(fresh));
  }
}

TEST_CASE("an answer that was saved without the tables of tiers and layers still has its counts") {
  const Command& command = *command_named("network");
  Context context{.catalog = shipped()};
  const auto answer = command.answer(
      {.command = "network", .options = {{"topology", "fat-tree"}, {"gpus", "1024"}}}, context);
  json::Json saved = written(command, answer.get());
  for (const char* added : {"switch_tiers", "link_layers", "port_gbps"}) {
    saved["result"].erase(added);
  }
  const std::string text = saved.dump();
  json::Problems problems({"saved.json", text});
  const auto again =
      command.read(json::parse_json({"saved.json", text}), json::ReadContext{problems, "answer"});
  REQUIRE(again);
  const auto& network = *static_cast<const NetworkAnswer*>(again.get());
  const auto& before = *static_cast<const NetworkAnswer*>(answer.get());
  CHECK(network.count.total_switches() == before.count.total_switches());
  CHECK(network.count.total_links() == before.count.total_links());
}

TEST_CASE("what is wrong with a saved answer is said with its place") {
  const std::string text = "{\"result\": {\"topology\": \"ring\"}}";
  const json::SourceText source{"saved.json", text};
  json::Problems problems(source);
  const Command& command = *command_named("network");
  CHECK_FALSE(command.read(json::parse_json(source), json::ReadContext{problems, "answer"}));
  try {
    problems.throw_if_any();
    FAIL("nothing was reported");
  } catch (const InputError& error) {
    CHECK(error.diagnostics().front().line == 1);
  }
}

TEST_CASE("every command is found by its name") {
  for (const Command& command : registry()) {
    CHECK(command_named(command.name) == &command);  // one of it: answers are told apart by it
  }
  CHECK(registry().size() == 20);
  CHECK(command_named("optimise") == nullptr);
}

TEST_CASE("options are one record: choices, help and the reader agree") {
  for (const Command& command : registry()) {
    std::set<std::string> names;
    for (const Command::Option& option : command.options) {
      CAPTURE(option.info.name);
      CHECK(names.insert(option.info.name).second);
      CHECK_FALSE(option.info.told().empty());
      for (const std::string& choice : option.info.choices) CHECK_FALSE(option.problem(choice));
      if (!option.info.choices.empty()) CHECK(option.problem("no such word"));
    }
  }
}

TEST_CASE("an option that cannot be read is a misuse, named") {
  Context context{.catalog = shipped()};
  CHECK_THROWS_WITH_AS(
      command_named("network")->answer(
          {.command = "network", .options = {{"topology", "fat-tree"}, {"gpus", "0"}}}, context),
      "--gpus: must be a whole number from 1 to 1000000000000, not \"0\"", UsageError);
}

namespace {

/// "0" of a help text that ends with "(0)": a default in words of its own; else nothing.
std::string number_at_end(const std::string& help) {
  const std::size_t open = help.rfind('(');
  if (open == std::string::npos || help.back() != ')') return "";
  const std::string within = help.substr(open + 1, help.size() - open - 2);
  const bool number = within.find_first_not_of("0123456789.") == std::string::npos;
  return number ? within : "";
}

/// What is said of options that nobody gave is not said of one that is given.
void forget_assumed(json::Json& node) {
  if (node.is_object()) {
    node.erase("assumed");
    node.erase("assumptions");
  }
  if (!node.is_structured()) return;
  for (json::Json& part : node) forget_assumed(part);
}

/// Inputs and result of an answer with one more option; nothing where it is refused.
std::optional<json::Json> answered(const Command& command, const std::string& line,
                                   const OptionInfo* option) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  Call call = call_of(command, std::move(words));
  if (option != nullptr) call.options.emplace_back(option->name, option->fallback);
  Context context{.catalog = shipped()};
  try {
    json::Json out = written(command, command.answer(call, context).get());
    forget_assumed(out);
    return out;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("a number that ends a help text as the default is a value of the option") {
  int told = 0;
  for (const Command& command : registry()) {
    for (const Command::Option& option : command.options) {
      const std::string number = number_at_end(option.info.help);
      if (number.empty()) continue;
      CAPTURE(command.name);
      CAPTURE(option.info.name);
      CHECK(option.problem(number) == std::nullopt);
      ++told;
    }
  }
  CHECK(told >= 10);
}

TEST_CASE("the default that help tells of an option is a value of it, and is what is taken") {
  // Given, the first leaves recomputing by module out, and the others ask for a part of the answer.
  const std::set<std::string> kAsksForMore{"recompute", "storage-flows", "uplink-use"};
  // A cluster's file or a brief goes before the default; a system is some of validate's rows only.
  const std::set<std::string> kByFiles{"cost", "compare", "design", "validate"};
  int compared = 0;
  for (const Command& command : registry()) {
    for (const Command::Option& option : command.options) {
      if (option.info.fallback.empty()) continue;
      CAPTURE(command.name);
      CAPTURE(option.info.name);
      CAPTURE(option.info.fallback);
      CHECK(option.problem(option.info.fallback) == std::nullopt);
      if (kAsksForMore.contains(option.info.name) || kByFiles.contains(command.name)) continue;
      for (const Example& example : examples()) {
        const std::string flag = "--" + option.info.name;
        const bool other = example.command != &command ||
                           (example.line + ' ').find(flag + ' ') != std::string::npos;
        if (other) continue;
        const auto with = answered(command, example.line, &option.info);
        if (!with) continue;  // asks for something else than this option is of
        CAPTURE(example.line);
        const bool same = *with == answered(command, example.line, nullptr);
        CHECK(same);
        ++compared;
        break;
      }
    }
  }
  CHECK(compared >= 20);
}
