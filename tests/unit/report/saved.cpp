#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "planner/api/api.hpp"
#include "planner/api/saved_answer.hpp"
#include "planner/report/answer_json.hpp"
#include "planner/report/format.hpp"
#include "planner/report/report.hpp"

using namespace planner;
using Json = nlohmann::ordered_json;

namespace {

Json compared() {
  const std::string folder = PLANNER_SOURCE_DIR "/examples/clusters/";
  Request request{.command = Command::compare};
  request.arguments = {folder + "gpt1t-32768-fat-tree.json", folder + "gpt1t-32768-rail-only.json"};
  return answer_json(answer(request));
}

constexpr std::array kOthers{Format::json, Format::csv, Format::markdown, Format::html,
                             Format::xlsx};

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

}  // namespace

TEST_CASE("a saved answer renders to the same bytes as the answer itself") {
  const Json fresh = compared();
  const Json saved = parse_answer(render(fresh, Format::json), "saved.json");
  for (const Format format : kOthers) {
    CAPTURE(name_of(format));
    CHECK(render(saved, format) == render(fresh, format));
  }
}

TEST_CASE("a report of any answer has its warnings, each once") {
  const auto count = [](const std::string& text, const std::string& words) {
    std::size_t found = 0;
    for (std::size_t i = 0; (i = text.find(words, i)) != std::string::npos; ++i) ++found;
    return found;
  };
  const std::string warning = "the largest measured run of dense models";
  const Request sweep{
      .command = Command::sweep,
      .arguments = {"optimize"},
      .vary = {{.option = "hb-domain", .values = {"8", "16"}}},
      .swept_options = {{"model", "gpt1t"}, {"gpus", "32768"}, {"data-dir", PLANNER_SOURCE_DIR}}};
  const Request cost{
      .command = Command::cost, .arguments = {"h100-16k"}, .data_dir = PLANNER_SOURCE_DIR};
  for (const Request& request : {sweep, cost}) {
    const Json saved =
        parse_answer(render(answer_json(answer(request)), Format::json), "saved.json");
    CHECK(count(render(saved, Format::markdown), warning) == 1);
    CHECK(count(render(saved, Format::html), warning) == 1);
  }
}

TEST_CASE("a changed answer renders or is refused with words, never anything else") {
  const Json fresh = compared();
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Json changed = fresh;
    for (int i = 0; i <= round % 4; ++i) mutate(changed, random);
    for (const Format format : kOthers) {
      try {
        render(parse_answer(render(changed, Format::json), "saved.json"), format);
      } catch (const InputError& error) {
        CHECK(!error.diagnostics().front().message.empty());
      }
    }
  }
}

TEST_CASE("what is no answer is refused, with its place") {
  const auto code = [](std::string_view text) -> std::string {
    try {
      parse_answer(text, "saved.json");
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
