#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/commands/option.hpp"
#include "planner/commands/usage.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/present/document.hpp"

// A command is a room: what may be asked (request), what it computes (run), how its answer is
// written as JSON and read again (fields), and how people see it (view).
namespace planner::commands {

/// What a command is given by whoever calls it: the same for the command line, C, JSON and sweeps.
struct Call {
  std::string command;
  std::vector<std::string> arguments{};                        ///< positional
  std::vector<std::pair<std::string, std::string>> options{};  ///< name and text, as typed
};

/// What a command works with and what it says besides its answer.
struct Context {
  const catalog::Catalog& catalog;
  std::vector<std::string> warnings{};
  /// A limit that the user gave and the answer exceeds; the answer stands.
  std::optional<Diagnostic> exceeded{};
};

/// A command with its types.
template <class Request, class Answer>
struct CommandOf {
  std::string name;
  std::string summary;
  std::string arguments{};  ///< how help shows the positional arguments: "NAME"; empty: none
  bool swept = false;       ///< answers with figures that `sweep` can line up
  bool workbook = false;    ///< its answers make a workbook
  std::vector<OptionOf<Request>> options;
  std::vector<std::string> Request::*positional = nullptr;
  /// @throws InputError and its kinds where there is no answer
  Answer (*run)(const Request& request, Context& context);
  /// Of "inputs" and "result": writes the JSON, reads a saved one back, describes it.
  const json::Table<Answer>& (*fields)();
  present::Document (*view)(const Answer& answer);
};

/// A command without its types, for the registry.
struct Command {
  std::string name, summary, arguments;
  bool swept = false, workbook = false;
  struct Option {
    OptionInfo info;
    /// What is wrong with a text, by itself; nothing when all is well.
    std::function<std::optional<std::string>(std::string_view text)> problem;
  };
  std::vector<Option> options;
  std::function<std::shared_ptr<const void>(const Call&, Context&)> answer;
  std::function<void(const void* answer, json::Json& object)> write;
  std::function<std::shared_ptr<const void>(const json::JsonNode&, const json::ReadContext&)> read;
  std::function<void(json::Json& schema)> describe;
  std::function<present::Document(const void* answer)> view;
};

/// An answer with the command that knows what it is.
struct Answered {
  const Command* command = nullptr;
  std::shared_ptr<const void> value;

  [[nodiscard]] present::Document document() const { return command->view(value.get()); }
  /// Sets the keys of the answer: "inputs", "result".
  void write(json::Json& object) const { command->write(value.get(), object); }
};

/// The request that a call stands for.
/// @throws UsageError for the first option that cannot be read
template <class Request, class Answer>
Request request_of(const CommandOf<Request, Answer>& command, const Call& call) {
  Request request;
  for (const auto& [name, text] : call.options) {
    for (const OptionOf<Request>& option : command.options) {
      if (option.info.name != name) continue;
      if (const auto problem = option.read(text, request)) {
        usage_error("--" + name + ": " + *problem);
      }
    }
  }
  if (command.positional != nullptr) request.*command.positional = call.arguments;
  return request;
}

template <class Request, class Answer>
Command erased(CommandOf<Request, Answer> typed) {
  const auto shared = std::make_shared<const CommandOf<Request, Answer>>(std::move(typed));
  const auto of = [](const void* answer) -> const Answer& {
    return *static_cast<const Answer*>(answer);
  };
  Command command{.name = shared->name,
                  .summary = shared->summary,
                  .arguments = shared->arguments,
                  .swept = shared->swept,
                  .workbook = shared->workbook};
  for (const OptionOf<Request>& option : shared->options) {
    command.options.push_back({option.info, [read = option.read](std::string_view text) {
                                 Request scratch;
                                 return read(text, scratch);
                               }});
  }
  command.answer = [shared](const Call& call, Context& context) -> std::shared_ptr<const void> {
    return std::make_shared<const Answer>(shared->run(request_of(*shared, call), context));
  };
  command.write = [shared, of](const void* answer, json::Json& object) {
    for (const auto& field : shared->fields().fields) field.write(of(answer), object);
  };
  command.read = [shared](const json::JsonNode& node,
                          const json::ReadContext& context) -> std::shared_ptr<const void> {
    auto answer = json::read_object(shared->fields(), node, context);
    return answer ? std::make_shared<const Answer>(*std::move(answer)) : nullptr;
  };
  command.describe = [shared](json::Json& schema) {
    json::describe_object(shared->fields(), schema);
  };
  command.view = [shared, of](const void* answer) { return shared->view(of(answer)); };
  return command;
}

/// All commands, a line each, in the order of the help text.
std::span<const Command> registry();

/// Null where no command has the name.
const Command* command_named(std::string_view name);

}  // namespace planner::commands
