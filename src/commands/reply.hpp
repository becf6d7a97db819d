#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/commands/command.hpp"

// The door for the command line, the C library and the sweeps: a call in, a reply out.
namespace planner::commands {

/// Of the JSON that planner writes and reads (docs/compatibility.md).
inline constexpr const char* kSchemaVersion = "1";

/// The parts of an answer: what it is for, and what was asked.
inline constexpr const char* kInputs = "inputs";
inline constexpr const char* kResult = "result";
/// Who asked, where the call says so.
inline constexpr const char* kAskedByKey = "asked_by";
/// The currency that people see; every key is in dollars.
inline constexpr const char* kShownIn = "shown_in";

/// Ways for the caller to watch and end a long call.
struct Control {
  std::function<void(const SearchProgress&)> progress{};   ///< see SearchOptions
  std::function<void(const FitProgress&)> fit_progress{};  ///< see FitOptions
  const std::atomic<bool>* stop = nullptr;
  const Peers* peers = nullptr;  ///< that answer it together; null: this process is alone
};

/// The reply to a call. Bad input and infeasible requests are replies too: with `errors`.
struct Reply {
  const Command* command = nullptr;  ///< null: it was not understood which
  ExitCode exit_code = ExitCode::done;
  std::optional<Answered> answer{};
  std::vector<std::string> warnings{};
  std::vector<Diagnostic> errors{};

  [[nodiscard]] bool has_result() const { return answer && answer->has_result(); }
  /// Whether the answer is a text to the letter: a file, or settings of a training stack.
  [[nodiscard]] bool is_text() const;
  /// The answer's document, with the warnings among its notes. There is an answer.
  [[nodiscard]] present::Document document() const;
};

/// Answers a call. Never throws for anything the user can cause. Without global state; calls may
/// run side by side.
Reply reply_to(const Call& call, const Control& control = {});

/// A reply that says only what is wrong with a call.
Reply refusal(const Command* command, Diagnostic misuse);

/// The reply as the JSON document that --json prints and `planner report` reads again.
/// @param charts  false: where nobody looks at them, as in the rows of a sweep
nlohmann::ordered_json reply_json(const Reply& reply, bool charts = true);

/// Writes the JSON Schema of an error.
void describe_error(nlohmann::ordered_json& schema);
/// What the command answered, of the keys "inputs", "result", "warnings" and "errors" of an object.
Reply read_reply(const Command& command, const json::JsonNode& node,
                 const json::ReadContext& context);

/// The text of an answer that was saved as JSON, read again as the reply that it was.
/// @throws InputError, each finding located
Reply saved_reply(std::string_view text, std::string_view source_name);

// What is wrong with a call that cannot be understood, in the words of all who call.

/// `name` is no command.
Diagnostic unknown_command(const std::string& name);
/// `flag` ("--gpu") is no option of the command.
/// @param more  flags that the command has besides its options
Diagnostic unknown_flag(const std::string& flag, const Command& command,
                        std::span<const std::string> more = {});
/// A command was given an argument that it has no place for.
Diagnostic unexpected_argument(const std::string& argument, const Command& command);

}  // namespace planner::commands
