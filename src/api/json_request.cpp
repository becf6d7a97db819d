#include "planner/api/json_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "planner/api/misuse.hpp"
#include "planner/api/options.hpp"
#include "planner/core/printable.hpp"
#include "planner/json/located_json.hpp"
#include "planner/json/number_text.hpp"

namespace planner {

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

const Option* option_named(std::string_view name, Command command) {
  const auto& all = options();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Option& option) {
    return option.name == name && option.applies_to(command);
  });
  return found == all.end() ? nullptr : &*found;
}

void read_switch(const Option& option, const JsonNode& node, Request& request) {
  const bool* const on = node.get<bool>();
  if (on == nullptr) {
    refuse(misuse(fmt::format("--{}: must be true or false, not {}", option.name, node.kind())));
  }
  const Option* const wanted = *on ? &option : option_named("no-" + option.name, request.command);
  if (wanted == nullptr) return;
  if (const auto problem = wanted->read("", request)) {
    refuse(misuse(fmt::format("--{}: {}", wanted->name, *problem)));
  }
}

void read_option(const Option& option, const JsonNode& node, Request& request) {
  if (node.is_null()) return;
  if (option.is_switch()) return read_switch(option, node, request);
  const std::string flag = "--" + option.name;
  const auto read = [&](const JsonNode& value) {
    if (const auto problem = option.read(typed(flag, value), request)) {
      refuse(misuse(fmt::format("{}: {}", flag, *problem)));
    }
  };
  const auto* const list = node.get<JsonNode::Array>();
  if (!option.repeats || list == nullptr) return read(node);
  for (const JsonNode& element : *list) read(element);
}

/// `sweep` keeps the options of the command that it runs, which reads them itself.
void keep_swept(const Option& option, const JsonNode& node, Request& request) {
  if (node.is_null()) return;
  if (!option.is_switch()) {
    request.swept_options.emplace_back(option.name, typed("--" + option.name, node));
  } else if (const bool* const on = node.get<bool>(); on != nullptr && *on) {
    request.swept_options.emplace_back(option.name, "");
  }
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
    const auto all = command_table();
    const auto info = std::find_if(all.begin(), all.end(),
                                   [&](const CommandInfo& known) { return known.name == name; });
    if (info == all.end()) refuse(no_answer(name));
    out_.request.command = info->command;
    out_.command = info->command;
    takes_arguments_ = !info->arguments.empty();
  }

  /// In the order of the table, as the command line reads them.
  void read_options(const JsonNode& node) {
    const auto* const given = node.get<JsonNode::Object>();
    if (given == nullptr) {
      refuse(source_, node.offset, "wrong-type",
             fmt::format("\"options\": expected an object, got {}", node.kind()));
    }
    refuse_duplicates(*given);
    const Command command = out_.request.command;
    std::set<std::string_view> kept;
    for (const Option& option : options()) {
      const JsonNode* const value = node.find(option.name);
      if (value == nullptr) continue;
      if (option.applies_to(command)) {
        read_option(option, *value, out_.request);
        kept.insert(option.name);
      } else if (command == Command::sweep && kept.insert(option.name).second) {
        keep_swept(option, *value, out_.request);
      }
    }
    for (const JsonMember& member : *given) {
      if (option_named(member.key, command) != nullptr || kept.contains(member.key)) continue;
      refuse(unknown_flag("--" + member.key, command));
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
      if (!takes_arguments_) refuse(unexpected_argument(argument, out_.request.command));
      out_.request.arguments.push_back(argument);
    }
  }

  json::SourceText source_;
  JsonRequest& out_;
  bool takes_arguments_ = false;
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

}  // namespace planner
