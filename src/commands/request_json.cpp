#include "planner/commands/request_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "planner/commands/reply.hpp"
#include "planner/core/printable.hpp"
#include "planner/core/usage.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/number_text.hpp"

namespace planner::commands {

namespace {

using json::JsonNode;

constexpr std::string_view kName = "<request>";
const std::array<std::string, 4> kKeys{"command", "options", "arguments", "format"};

/// What is wrong at a place of the request's text.
[[noreturn]] void refuse(json::SourceText source, std::size_t offset, std::string code,
                         std::string message, std::string hint = {}) {
  throw InputError(source.diagnose(offset, std::move(code), std::move(message), std::move(hint)));
}

[[noreturn]] void refuse(Diagnostic misuse) {
  throw UsageError(std::move(misuse));
}

/// A name or a path; a control character would end it early for whoever opens it.
const std::string& printable_text(const std::string& what, const std::string& text) {
  if (has_control(text)) {
    refuse(misuse(fmt::format("{}: must not hold control characters", what)));
  }
  return text;
}

/// The text of a string, number or boolean; nothing for anything else.
std::optional<std::string> scalar_text(const JsonNode& node) {
  if (const auto* text = node.get<std::string>()) return *text;
  if (const auto* flag = node.get<bool>()) return *flag ? "true" : "false";
  if (const auto* number = node.get<std::int64_t>()) return std::to_string(*number);
  if (const auto* number = node.get<std::uint64_t>()) return std::to_string(*number);
  if (const auto* number = node.get<double>()) return json::shortest(*number);
  return std::nullopt;
}

/// What a person would have typed for this value.
std::string typed(const std::string& flag, const JsonNode& node) {
  if (const auto text = scalar_text(node)) return printable_text(flag, *text);
  const auto* const list = node.get<JsonNode::Array>();
  if (list == nullptr) refuse(misuse(fmt::format("{}: must not be {}", flag, node.kind())));
  std::string joined;
  for (const JsonNode& element : *list) {
    const auto text = scalar_text(element);
    if (!text) refuse(misuse(fmt::format("{}: must not hold {}", flag, element.kind())));
    joined += (&element == list->data() ? "" : ",") + printable_text(flag, *text);
  }
  return joined;
}

/// The command's own options, then those that it hands on.
std::vector<const OptionInfo*> options_of(const Command& command) {
  std::vector<const OptionInfo*> all;
  for (const Command::Option& option : command.options) all.push_back(&option.info);
  if (!command.runs_others) return all;
  const std::vector<const OptionInfo*> more = handed_on();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Those that are handed on are checked by the command that they go to.
void check(const Command& command, const std::string& name, const std::string& text) {
  for (const Command::Option& option : command.options) {
    if (option.info.name != name) continue;
    if (const auto problem = option.problem(text)) {
      refuse(misuse(fmt::format("--{}: {}", name, *problem)));
    }
  }
}

using Typed = std::pair<std::string, std::string>;

/// A switch is on, or off by the option that turns it off.
std::vector<Typed> read_switch(const OptionInfo& option, const JsonNode& node,
                               const std::vector<const OptionInfo*>& known) {
  const bool* const on = node.get<bool>();
  if (on == nullptr) {
    refuse(misuse(fmt::format("--{}: must be true or false, not {}", option.name, node.kind())));
  }
  const std::string name = (*on ? "" : "no-") + option.name;
  const bool there = std::any_of(known.begin(), known.end(),
                                 [&](const OptionInfo* other) { return other->name == name; });
  return there ? std::vector<Typed>{{name, ""}} : std::vector<Typed>{};
}

/// What a person would have typed, once or several times.
std::vector<Typed> read_option(const OptionInfo& option, const JsonNode& node,
                               const std::vector<const OptionInfo*>& known) {
  if (node.is_null()) return {};
  if (option.is_switch()) return read_switch(option, node, known);
  const std::string flag = "--" + option.name;
  const auto* const list = node.get<JsonNode::Array>();
  if (!option.repeats || list == nullptr) return {{option.name, typed(flag, node)}};
  std::vector<Typed> each;
  for (const JsonNode& element : *list) each.emplace_back(option.name, typed(flag, element));
  return each;
}

/// What is wrong with a command that is not in the table of those that answer.
Diagnostic no_answer(const std::string& name) {
  for (const TextCommand& command : text_commands()) {
    if (command.name != name) continue;
    return misuse(fmt::format("\"{}\" is a command of the command line only", name),
                  fmt::format("planner {} {}", name, command.argument));
  }
  return unknown_command(name);
}

/// One request's parts, each read from the member of its name.
class Reader {
 public:
  Reader(json::SourceText source, JsonRequest& out) : source_(source), out_(out) {}

  void read(const JsonNode& root) {
    const auto* const members = root.get<JsonNode::Object>();
    if (members == nullptr) refuse(source_, root.offset, "wrong-type", "a request is an object");
    refuse_duplicates(*members);
    for (const JsonMember& member : *members) refuse_unknown(member);
    read_command(root.find("command"));
    if (const JsonNode* options = root.find("options")) read_options(*options);
    if (const JsonNode* arguments = root.find("arguments")) read_arguments(*arguments);
    if (const JsonNode* format = root.find("format")) out_.format = string(*format, "format");
  }

 private:
  using JsonMember = json::JsonMember;

  void refuse_duplicates(const JsonNode::Object& members) const {
    std::vector<std::pair<std::string_view, std::size_t>> keys;
    keys.reserve(members.size());
    for (const JsonMember& member : members) keys.emplace_back(member.key, member.key_offset);
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(
        keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == keys.end()) return;
    refuse(source_, std::next(twice)->second, "duplicate-key",
           "the key " + json::in_quotes(twice->first) + " is here twice");
  }

  void refuse_unknown(const JsonMember& member) const {
    if (std::find(kKeys.begin(), kKeys.end(), member.key) != kKeys.end()) return;
    refuse(source_, member.key_offset, "unknown-key", "unknown key " + json::in_quotes(member.key),
           did_you_mean(member.key, kKeys, "planner schema request"));
  }

  [[nodiscard]] std::string string(const JsonNode& node, std::string_view key) const {
    const auto* const text = node.get<std::string>();
    if (text == nullptr) {
      refuse(source_, node.offset, "wrong-type",
             fmt::format("\"{}\": expected a string, got {}", key, node.kind()));
    }
    return *text;
  }

  void read_command(const JsonNode* node) {
    if (node == nullptr) refuse(misuse("no command given", "planner --help lists them"));
    const std::string name = string(*node, "command");
    out_.command = command_named(name);
    if (out_.command == nullptr) refuse(no_answer(name));
    out_.call.command = name;
  }

  /// In the order of the command's options, as its help shows them.
  void read_options(const JsonNode& node) {
    const auto* const given = node.get<JsonNode::Object>();
    if (given == nullptr) {
      refuse(source_, node.offset, "wrong-type",
             fmt::format("\"options\": expected an object, got {}", node.kind()));
    }
    refuse_duplicates(*given);
    const std::vector<const OptionInfo*> known = options_of(*out_.command);
    for (const OptionInfo* const option : known) {
      const JsonNode* const value = node.find(option->name);
      if (value == nullptr) continue;
      for (Typed& one : read_option(*option, *value, known)) {
        check(*out_.command, one.first, one.second);
        out_.call.options.push_back(std::move(one));
      }
    }
    for (const JsonMember& member : *given) {
      const bool there = std::any_of(known.begin(), known.end(), [&](const OptionInfo* option) {
        return option->name == member.key;
      });
      if (!there) refuse(unknown_flag("--" + member.key, *out_.command));
    }
  }

  void read_arguments(const JsonNode& node) {
    const auto* const list = node.get<JsonNode::Array>();
    if (list == nullptr) {
      refuse(source_, node.offset, "wrong-type",
             fmt::format("\"arguments\": expected an array, got {}", node.kind()));
    }
    for (const JsonNode& element : *list) {
      const std::string argument = printable_text("arguments", string(element, "arguments"));
      if (out_.command->arguments.empty()) refuse(unexpected_argument(argument, *out_.command));
      out_.call.arguments.push_back(argument);
    }
  }

  json::SourceText source_;
  JsonRequest& out_;
};

}  // namespace

JsonRequest read_json_request(std::string_view text) {
  JsonRequest result;
  const json::SourceText source{kName, text};
  try {
    Reader(source, result).read(json::parse_json(source));
  } catch (const InputError& error) {
    result.problem = error.diagnostics().front();
  }
  return result;
}

}  // namespace planner::commands
