#include "planner/api/saved_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/api/commands.hpp"
#include "planner/api/options.hpp"
#include "planner/commands/command.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/text_file.hpp"

namespace planner {

namespace {

using Json = nlohmann::ordered_json;
using json::JsonNode;

/// The same value without places; refuses duplicate keys, of which readers keep different ones.
struct Unlocated {
  json::SourceText source;

  Json operator()(const JsonNode& node) const {
    return std::visit([this](const auto& value) { return convert(value); }, node.value);
  }
  Json convert(std::monostate) const { return nullptr; }
  Json convert(const JsonNode::Array& array) const {
    Json json = Json::array();
    for (const JsonNode& element : array) json.push_back((*this)(element));
    return json;
  }
  Json convert(const JsonNode::Object& object) const {
    std::set<std::string_view> seen;
    Json::object_t json;
    json.reserve(object.size());
    for (const json::JsonMember& member : object) {
      if (!seen.insert(member.key).second) {
        throw InputError(
            source.diagnose(member.key_offset, "duplicate-key",
                            "the key " + json::in_quotes(member.key) + " is here twice"));
      }
      json.emplace_back(member.key, (*this)(member.value));
    }
    return json;
  }
  Json convert(const auto& scalar) const { return scalar; }
};

void check_version(const JsonNode& root, const json::SourceText& source) {
  const JsonNode* const version = root.find("schema_version");
  const std::string* const text = version == nullptr ? nullptr : version->get<std::string>();
  if (text == nullptr) {
    throw InputError(source.diagnose(root.offset, "not-an-answer",
                                     "this is no answer of planner: it has no \"schema_version\"",
                                     "save one with -o FILE.json"));
  }
  if (*text != kSchemaVersion) {
    throw InputError(
        source.diagnose(version->offset, "other-version",
                        fmt::format("the answer has schema version {}, this planner reads \"{}\"",
                                    json::in_quotes(*text), kSchemaVersion),
                        "save it again with this version"));
  }
}

void check_command(const JsonNode& root, const json::SourceText& source) {
  const JsonNode* const command = root.find("command");
  const std::string* const name = command == nullptr ? nullptr : command->get<std::string>();
  const auto all = command_table();
  const bool known = name != nullptr && std::any_of(all.begin(), all.end(), [&](const auto& info) {
                       return info.name == *name;
                     });
  if (!known) {
    throw InputError(
        source.diagnose(command == nullptr ? root.offset : command->offset, "not-an-answer",
                        "this is no answer of planner: its \"command\" is not one of ours"));
  }
  const JsonNode* const result = root.find("result");
  if (result == nullptr || result->get<JsonNode::Object>() == nullptr) {
    throw InputError(source.diagnose(root.offset, "not-an-answer", "this answer has no \"result\"",
                                     "the command that saved it failed: see its \"errors\""));
  }
}

constexpr const char* kHowToSave = "save an answer with -o FILE.json";

Json load_answer(const std::string& path) {
  return parse_answer(json::read_text_file(path, kHowToSave), json::source_name(path));
}

std::vector<std::string> texts_of(const JsonNode* list) {
  std::vector<std::string> texts;
  const auto* const array = list == nullptr ? nullptr : list->get<JsonNode::Array>();
  if (array == nullptr) return texts;
  for (const JsonNode& element : *array) {
    if (const auto* const text = element.get<std::string>()) texts.push_back(*text);
  }
  return texts;
}

std::vector<Diagnostic> errors_of(const JsonNode* list) {
  std::vector<Diagnostic> errors;
  const auto* const array = list == nullptr ? nullptr : list->get<JsonNode::Array>();
  if (array == nullptr) return errors;
  for (const JsonNode& element : *array) {
    const auto text = [&element](std::string_view key) {
      const JsonNode* const value = element.find(key);
      const auto* const words = value == nullptr ? nullptr : value->get<std::string>();
      return words == nullptr ? std::string{} : *words;
    };
    errors.push_back({.code = text("code"), .message = text("message"), .hint = text("hint")});
  }
  return errors;
}

/// The saved answer of a command of the registry as the value it was; nothing for other commands.
std::optional<Response> read_again(const json::SourceText& source) {
  const JsonNode root = json::parse_json(source);
  check_version(root, source);
  check_command(root, source);
  const auto& name = *root.find("command")->get<std::string>();
  const commands::Command* const command = commands::command_named(name);
  if (command == nullptr) return std::nullopt;
  json::Problems problems(source);
  const auto value = command->read(root, json::ReadContext{problems, "answer"});
  problems.throw_if_any();
  const auto all = command_table();
  const auto info =
      std::find_if(all.begin(), all.end(), [&](const CommandInfo& i) { return i.name == name; });
  return Response{.command = info->command,
                  .result = commands::Answered{command, value},
                  .warnings = texts_of(root.find("warnings")),
                  .errors = errors_of(root.find("errors"))};
}

bool is_plan(const Json& answer) {
  return answer.at("command") == "optimize" || answer.at("command") == "estimate";
}

/// Without the tables whose counts stand under names besides.
Json without_repetitions(Json json) {
  for (const char* repeated : {"switch_tiers", "link_layers"}) {
    if (json.is_object()) json.erase(repeated);
  }
  if (json.is_structured()) {
    for (Json& element : json) element = without_repetitions(std::move(element));
  }
  return json;
}

/// What is compared of an answer: everything, or of a search its inputs and its best plan, so that
/// it can be held against an estimate too.
Json comparable(const Json& answer) {
  const Json& result = answer.at("result");
  if (!is_plan(answer)) return without_repetitions(result);
  Json plan = result.contains("best") && result["best"].is_object() ? result["best"] : result;
  for (const char* more : {"explanation", "flops_convention"}) plan.erase(more);
  if (answer.contains("inputs")) plan["inputs"] = answer["inputs"];
  return plan;
}

}  // namespace

Json parse_answer(std::string_view text, std::string_view source_name) {
  const json::SourceText source{source_name, text};
  const JsonNode root = json::parse_json(source);
  check_version(root, source);
  check_command(root, source);
  return Unlocated{source}(root);
}

Response report(const Request& request) {
  if (request.arguments.size() != 1) {
    usage_error("report takes one saved answer", "planner compare a.json b.json -o saved.json");
  }
  const std::string& path = request.arguments.front();
  const std::string text = json::read_text_file(path, kHowToSave);
  const std::string name = json::source_name(path);
  if (auto read = read_again({name, text})) return *std::move(read);
  return {.command = Command::report,
          .result = SavedAnswer{std::make_shared<const Json>(parse_answer(text, name))}};
}

Response diff(const Request& request) {
  if (request.arguments.size() != 2) {
    usage_error("diff takes two saved answers", "planner cost cluster.json -o saved.json");
  }
  DiffResult result{.a = request.arguments[0], .b = request.arguments[1], .rows = {}, .same = 0};
  const Json a = load_answer(result.a), b = load_answer(result.b);
  if (a["command"] != b["command"] && !(is_plan(a) && is_plan(b))) {
    throw InputError(Diagnostic{
        .code = "not-comparable",
        .message = fmt::format("an answer of {} cannot be compared with one of {}",
                               a["command"].get<std::string>(), b["command"].get<std::string>())});
  }
  compare_answers(comparable(a), comparable(b), result);
  return {.command = Command::diff, .result = std::move(result)};
}

}  // namespace planner
