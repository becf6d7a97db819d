#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "planner/catalog/tables/tables.hpp"
#include "planner/commands/options/asked_by.hpp"
#include "planner/commands/reply.hpp"
#include "planner/json/located_json.hpp"
#include "planner/present/charts/charts.hpp"

namespace planner::commands {

namespace {

using namespace json;

/// What may be wrong with the JSON of an answer, before it is read as one.
class Saved {
 public:
  Saved(const JsonNode& root, SourceText source) : root_(root), source_(source) {}

  const Command& command() const {
    check_version();
    const JsonNode* const node = root_.find("command");
    const std::string* const name = node == nullptr ? nullptr : node->get<std::string>();
    const Command* const command = name == nullptr ? nullptr : command_named(*name);
    if (command == nullptr) {
      refuse(node == nullptr ? root_.offset : node->offset, "not-an-answer",
             "this is no answer of planner: its \"command\" is not one of ours");
    }
    const JsonNode* const result = root_.find(kResult);
    if (result == nullptr || result->get<JsonNode::Object>() == nullptr) {
      refuse(root_.offset, "not-an-answer", "this answer has no \"result\"",
             "the command that saved it failed: see its \"errors\"");
    }
    refuse_duplicates(root_);
    return *command;
  }

 private:
  [[noreturn]] void refuse(std::size_t offset, std::string code, std::string message,
                           std::string hint = {}) const {
    throw InputError(
        source_.diagnose(offset, std::move(code), std::move(message), std::move(hint)));
  }

  void check_version() const {
    const JsonNode* const version = root_.find("schema_version");
    const std::string* const text = version == nullptr ? nullptr : version->get<std::string>();
    if (text == nullptr) {
      refuse(root_.offset, "not-an-answer",
             "this is no answer of planner: it has no \"schema_version\"",
             "save one with -o FILE.json");
    }
    if (*text != kSchemaVersion) {
      refuse(version->offset, "other-version",
             fmt::format("the answer has schema version {}, this planner reads \"{}\"",
                         in_quotes(*text), kSchemaVersion),
             "save it again with this version");
    }
  }

  /// Readers keep different ones of two values under one key.
  void refuse_duplicates(const JsonNode& node) const {
    if (const auto* const array = node.get<JsonNode::Array>()) {
      for (const JsonNode& element : *array) refuse_duplicates(element);
    }
    const auto* const object = node.get<JsonNode::Object>();
    if (object == nullptr) return;
    std::set<std::string_view> seen;
    for (const JsonMember& member : *object) {
      if (!seen.insert(member.key).second) {
        refuse(member.key_offset, "duplicate-key",
               "the key " + in_quotes(member.key) + " is here twice");
      }
      refuse_duplicates(member.value);
    }
  }

  const JsonNode& root_;
  SourceText source_;
};

const FieldTable<Diagnostic>& diagnostic_table() {
  using D = Diagnostic;
  const auto place = written_as<int>(
      or_null(whole()),
      [](int number) {
        return number > 0 ? std::optional<std::int64_t>(number) : std::optional<std::int64_t>();
      },
      [](const std::optional<std::int64_t>& number) {
        return static_cast<int>(number.value_or(0));
      });
  static const FieldTable<D> kTable{
      .type = "error",
      .doc = "what is wrong",
      .fields = {required("code", &D::code, any_text(), "stable: what kind of problem this is"),
                 required("message", &D::message, any_text(), "one sentence"),
                 required("hint", &D::hint, text_or_null(), "what to do about it"),
                 required("file", &D::file, text_or_null(), "as the user named it"),
                 required("line", &D::line, place, "from 1"),
                 required("column", &D::column, place, "in bytes, from 1")},
      .open = true};
  return kTable;
}

/// Who asked, by the rule that the option has.
Codec<std::string> asker() {
  return checked(any_text(),
                 [](const std::string& name, const JsonNode& node, const ReadContext& context) {
                   const auto wrong = asked_by_problem(name);
                   if (wrong) context.report(node, "bad-value", *wrong);
                   return !wrong;
                 });
}

}  // namespace

void describe_error(Json& schema) {
  describe_object(diagnostic_table(), schema);
}

Json reply_json(const Reply& reply, bool charts) {
  Json out{{"schema_version", kSchemaVersion},
           {"command", reply.command ? Json(reply.command->name) : Json(nullptr)},
           {"ok", reply.errors.empty()}};
  if (reply.answer) {
    reply.answer->write(out);
    if (!reply.answer->asked_by.empty()) out[kAskedByKey] = reply.answer->asked_by;
    if (const auto& currency = reply.answer->shown_in) {
      json::object(catalog::display_currency_table()).write(*currency, out[kShownIn]);
    }
  }
  if (charts && reply.has_result()) {
    Json drawn = present::charts_of(reply.answer->document());
    if (!drawn.empty()) out["charts"] = std::move(drawn);
  }
  out["warnings"] = reply.warnings;
  if (!reply.errors.empty()) {
    json::list(json::object(diagnostic_table())).write(reply.errors, out["errors"]);
  }
  return out;
}

Reply read_reply(const Command& command, const JsonNode& node, const ReadContext& context) {
  Reply reply{.command = &command};
  if (node.find(kInputs) != nullptr || node.find(kResult) != nullptr) {
    if (auto value = command.read(node, context)) reply.answer = Answered{&command, value};
  }
  const JsonNode* const shown_in = node.find(kShownIn);
  if (shown_in != nullptr && reply.answer) {
    reply.answer->shown_in =
        json::object(catalog::display_currency_table()).read(*shown_in, context.member(kShownIn));
  }
  const auto read = [&](const char* key, auto codec, auto& into) {
    const JsonNode* const found = node.find(key);
    if (found == nullptr) return;
    if (auto values = codec.read(*found, context.member(key))) into = *std::move(values);
  };
  if (reply.answer) read(kAskedByKey, asker(), reply.answer->asked_by);
  read("warnings", list(any_text()), reply.warnings);
  read("errors", list(object(diagnostic_table())), reply.errors);
  return reply;
}

Reply saved_reply(std::string_view text, std::string_view source_name) {
  const SourceText source{source_name, text};
  const JsonNode root = parse_json(source);
  const Command& command = Saved(root, source).command();
  Problems problems(source);
  Reply reply = read_reply(command, root, ReadContext{problems, "answer"});
  problems.throw_if_any();
  return reply;
}

}  // namespace planner::commands
