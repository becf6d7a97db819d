// `report` shows a saved answer as the command itself did, and refuses what is no answer.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "planner/commands/format.hpp"
#include "support/examples.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;
using json::Json;

namespace {

Reply compared() {
  const std::string folder = PLANNER_SOURCE_DIR "/examples/clusters/";
  return reply_to(
      {.command = "compare",
       .arguments = {folder + "gpt1t-32768-fat-tree.json", folder + "gpt1t-32768-rail-only.json"}});
}

/// Removes or replaces a value somewhere inside.
void mutate(Json& json, std::mt19937& random) {
  Json* at = &json;
  for (;;) {
    if (!at->is_structured() || at->empty()) break;
    auto element = at->begin();
    std::advance(element, static_cast<std::ptrdiff_t>(random() % at->size()));
    if (at != &json && random() % 3 == 0) {
      at->erase(element);
      return;
    }
    at = &*element;
  }
  const std::array<Json, 6> others{nullptr, 1e308, "text", Json::array(), Json::object(), -1};
  *at = others[random() % others.size()];
}

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t i = 0; (i = text.find(words, i)) != std::string::npos; ++i) ++found;
  return found;
}

}  // namespace

TEST_CASE("a saved answer of any command renders to the same bytes as the answer itself") {
  for (const Example& example : examples()) {
    CAPTURE(example.line);
    const Reply fresh{.command = example.command,
                      .answer = Answered{example.command, example.answer},
                      .warnings = {"a warning"}};
    const Reply saved = saved_reply(rendered(fresh, json_format()), "saved.json");
    for (const Format* const format : formats_of(fresh.is_text())) {
      CAPTURE(format->name);
      CHECK(rendered(saved, *format) == rendered(fresh, *format));
    }
  }
}

TEST_CASE("an answer is a text where its command, or what is emitted, makes it one") {
  std::size_t emitted = 0;
  for (const Example& example : examples()) {
    CAPTURE(example.line);
    const bool emits =
        example.line.find("--emit") != std::string::npos && example.command->name != "sweep";
    emitted += emits ? 1U : 0U;
    const Reply reply{.command = example.command,
                      .answer = Answered{example.command, example.answer}};
    CHECK(reply.is_text() == (emits || example.command->to_the_letter));
  }
  CHECK(emitted == 3);
}

TEST_CASE("a report of any answer has its warnings, each once") {
  const std::string warning = "the largest measured run of dense models";
  const Call sweep{.command = "sweep",
                   .arguments = {"optimize"},
                   .options = {{"vary", "hb-domain=8,16"},
                               {"model", "gpt1t"},
                               {"gpus", "32768"},
                               {"data-dir", PLANNER_SOURCE_DIR}}};
  const Call cost{
      .command = "cost", .arguments = {"h100-16k"}, .options = {{"data-dir", PLANNER_SOURCE_DIR}}};
  for (const Call& call : {sweep, cost}) {
    const Reply saved = saved_reply(rendered(reply_to(call), json_format()), "saved.json");
    CHECK(count(rendered(saved, *format_named("md")), warning) == 1);
    CHECK(count(rendered(saved, *format_named("html")), warning) == 1);
  }
}

TEST_CASE("a changed answer renders or is refused with words, never anything else") {
  const Json fresh = reply_json(compared());
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Json changed = fresh;
    for (int i = 0; i <= round % 4; ++i) mutate(changed, random);
    try {
      const Reply saved = saved_reply(json_text(changed), "saved.json");
      for (const Format& format : formats()) CHECK_FALSE(rendered(saved, format).empty());
    } catch (const InputError& error) {
      CHECK(!error.diagnostics().front().message.empty());
    }
  }
}

TEST_CASE("what is no answer is refused, with its place") {
  const auto code = [](std::string_view text) -> std::string {
    try {
      saved_reply(text, "saved.json");
    } catch (const InputError& error) {
      const Diagnostic& found = error.diagnostics().front();
      CHECK(found.line == 1);
      CHECK(found.column >= 1);
      return found.code;
    }
    return "";
  };
  CHECK(code("{}") == "not-an-answer");
  CHECK(code("[]") == "not-an-answer");
  CHECK(code("{\"schema_version\": \"2\"}") == "other-version");
  CHECK(code("{\"schema_version\": 1}") == "not-an-answer");
  CHECK(code(R"({"schema_version": "1", "command": "dance", "result": {}})") == "not-an-answer");
  CHECK(code(R"({"schema_version": "1", "command": "cost"})") == "not-an-answer");
  CHECK(code(R"({"schema_version": "1", "command": "cost", "result": {"a": 1, "a": 2}})") ==
        "duplicate-key");
  CHECK(code("{\"schema_version\"") == "syntax");
}
