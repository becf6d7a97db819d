#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/calibration/fit.hpp"
#include "planner/catalog/catalog.hpp"
#include "planner/commands/option.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/exit_code.hpp"
#include "planner/core/usage.hpp"
#include "planner/domain/display_currency.hpp"
#include "planner/json/answer_fields.hpp"
#include "planner/present/document.hpp"
#include "planner/search/search.hpp"

// A command is a room: what may be asked (request), what it computes (run), how its answer is
// written as JSON and read again (fields), and how people see it (view).
namespace planner::commands {

struct Peers;

/// What a command is given by whoever calls it: the same for the command line, C, JSON and sweeps.
struct Call {
  std::string command;
  std::vector<std::string> arguments{};                        ///< positional
  std::vector<std::pair<std::string, std::string>> options{};  ///< name and text, as typed
};

/// The currency that an answer's dollars are shown in.
struct ShownCurrency {
  std::optional<DisplayCurrency> currency{};  ///< nothing: as dollars
  bool asked = false;                         ///< by the call, whatever files say
  bool of_file = false;                       ///< as an economics file says
};

/// What a command works with and what it says besides its answer.
struct Context {
  const catalog::Catalog& catalog;
  std::vector<std::string> warnings{};
  /// What is wrong beside the answer, which stands: a limit that it exceeds, a figure it misses.
  std::vector<Diagnostic> errors{};
  ExitCode exit_code = ExitCode::done;
  ShownCurrency shown_in{};
  std::function<void(const SearchProgress&)> progress{};   ///< see SearchOptions
  std::function<void(const FitProgress&)> fit_progress{};  ///< see FitOptions
  const std::atomic<bool>* stop = nullptr;                 ///< set: the user has ended it
  const Peers* peers = nullptr;                            ///< null: this process is alone

  void fail(ExitCode code, Diagnostic error) {
    exit_code = code;
    errors.push_back(std::move(error));
  }
};

/// One of the figures that people look for first, as a column of a sweep.
struct SweepFigure {
  std::string key;     ///< "tp": not shown where that is what varies
  std::string header;  ///< with its unit: "iteration (s)"
  present::Cell cell;
  std::optional<double> usual{};  ///< without a column where all lines have it
};

/// What a sweep shows of an answer in a line of its own.
struct SweepLine {
  present::Cell part{};  ///< which, where an answer is about several
  std::vector<SweepFigure> figures;
};

/// A command with its types.
template <class Request, class Answer>
struct CommandOf {
  std::string name;
  std::string summary;
  std::string arguments{};  ///< how help shows the positional arguments: "NAME"; empty: none
  /// All that a positional argument may be, where that is a fixed few; null: it is not.
  std::vector<std::string> (*words)() = nullptr;
  bool to_the_letter = false;  ///< its answers are texts: in no format but the terminal's and JSON
  bool looks_up = true;        ///< files of the data folders
  bool plans = false;          ///< its answer is a plan, or has a best one: `diff` compares those
  bool shows_money = false;    ///< its dollars can be shown in another currency
  bool shared = false;         ///< several processes can share its work: see Context::peers
  std::vector<OptionOf<Request>> options;
  std::vector<std::string> Request::*positional = nullptr;
  /// @throws InputError and its kinds where there is no answer
  Answer (*run)(const Request& request, Context& context);
  /// Of "inputs" and "result": writes the JSON, reads a saved one back, describes it.
  const json::FieldTable<Answer>& (*fields)();
  present::Document (*view)(const Answer& answer);
  /// The lines of an answer in a sweep; null: it cannot be swept.
  std::vector<SweepLine> (*lines)(const Answer& answer) = nullptr;
  std::string part{};  ///< what the lines of an answer with several stand for: "cluster"
  /// Where the options of the commands that it runs go; null: it runs none.
  std::vector<std::pair<std::string, std::string>> Request::*handed_on = nullptr;
  /// Whether an answer has a result, and not its inputs only; null: always.
  bool (*has_result)(const Answer& answer) = nullptr;
  /// What `-o FILE` writes in place of the answer, which is then said all the same.
  std::string (*file)(const Answer& answer) = nullptr;
};

/// A command without its types, for the registry.
struct Command {
  std::string name, summary, arguments;
  std::vector<std::string> (*words)() = nullptr;
  bool to_the_letter = false, plans = false, shared = false;
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
  std::function<std::vector<SweepLine>(const void* answer)> lines;  ///< empty: cannot be swept
  std::string part;
  bool runs_others = false;
  bool replays = false;  ///< its reply is the saved one that its argument names
  std::function<bool(const void* answer)> has_result;
  std::function<std::string(const void* answer)> file;  ///< empty: the answer in its format
};

/// The option of every command that looks up files: whoever opens the catalog reads it.
inline constexpr const char* kDataDir = "data-dir";
Command::Option data_dir_option();
/// The options of every command that shows dollars: whoever answers a call reads them.
std::vector<Command::Option> currency_options();
/// Of the same commands, whose answers somebody signs: who asked.
Command::Option asked_by_option();

/// An answer with the command that knows what it is.
struct Answered {
  const Command* command = nullptr;
  std::shared_ptr<const void> value;
  std::optional<DisplayCurrency> shown_in{};
  std::string asked_by{};  ///< empty: nobody says

  /// In the currency that the answer is shown in, which it then says, as it says who asked.
  [[nodiscard]] present::Document document() const;
  [[nodiscard]] bool has_result() const { return command->has_result(value.get()); }
  /// Sets the keys of the answer: "inputs", "result".
  void write(json::Json& object) const { command->write(value.get(), object); }
};

/// The request that a call stands for.
/// @throws UsageError for the first option that cannot be read
template <class Request, class Answer>
Request request_of(const CommandOf<Request, Answer>& command, const Call& call) {
  Request request;
  for (const auto& [name, text] : call.options) {
    const auto option =
        std::find_if(command.options.begin(), command.options.end(),
                     [&name = name](const auto& known) { return known.info.name == name; });
    if (option == command.options.end()) {
      if (command.handed_on != nullptr) (request.*command.handed_on).emplace_back(name, text);
    } else if (const auto problem = option->read(text, request)) {
      usage_error("--" + name + ": " + *problem);
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
                  .words = shared->words,
                  .to_the_letter = shared->to_the_letter,
                  .plans = shared->plans,
                  .shared = shared->shared};
  for (const OptionOf<Request>& option : shared->options) {
    command.options.push_back({option.info, [read = option.read](std::string_view text) {
                                 Request scratch;
                                 return read(text, scratch);
                               }});
  }
  if (shared->shows_money) {
    for (Command::Option& option : currency_options()) {
      command.options.push_back(std::move(option));
    }
    command.options.push_back(asked_by_option());
  }
  if (shared->looks_up) command.options.push_back(data_dir_option());
  command.answer = [shared](const Call& call, Context& context) -> std::shared_ptr<const void> {
    return std::make_shared<const Answer>(shared->run(request_of(*shared, call), context));
  };
  command.write = [shared, of](const void* answer, json::Json& object) {
    for (const auto& field : shared->fields().fields) field.write(of(answer), object);
  };
  command.read = [shared](const json::JsonNode& node,
                          json::ReadContext context) -> std::shared_ptr<const void> {
    context.saved = true;
    auto answer = json::read_object(shared->fields(), node, context);
    return answer ? std::make_shared<const Answer>(*std::move(answer)) : nullptr;
  };
  command.describe = [shared](json::Json& schema) {
    json::describe_object(shared->fields(), schema);
  };
  command.view = [shared, of](const void* answer) { return shared->view(of(answer)); };
  command.part = shared->part;
  command.runs_others = shared->handed_on != nullptr;
  command.has_result = [shared, of](const void* answer) {
    return shared->has_result == nullptr || shared->has_result(of(answer));
  };
  if (shared->file != nullptr) {
    command.file = [shared, of](const void* answer) { return shared->file(of(answer)); };
  }
  if (shared->lines != nullptr) {
    command.lines = [shared, of](const void* answer) { return shared->lines(of(answer)); };
  }
  return command;
}

/// All commands, a line each, in the order of the help text.
std::span<const Command> registry();

/// Null where no command has the name.
const Command* command_named(std::string_view name);

/// A command of the command line alone: it prints what follows from the registry.
struct TextCommand {
  std::string name, summary, argument;
  std::vector<std::string> words;  ///< that the argument may be, where they are a fixed few
};
std::span<const TextCommand> text_commands();

/// The options of the commands that a sweep runs, each name once: `sweep` hands them on.
std::vector<const OptionInfo*> handed_on();

}  // namespace planner::commands
