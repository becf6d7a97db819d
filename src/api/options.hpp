#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/api/request.hpp"

namespace planner {

/// A command as the user sees it.
struct CommandInfo {
  Command command;
  std::string name;
  std::string summary;
  std::string arguments;  ///< how help shows the positional arguments: "NAME"; empty: none
  bool swept = false;     ///< answers with figures that `sweep` can line up
};

/// All commands, in the order of the help text.
std::span<const CommandInfo> command_table();

std::string_view name_of(Command command);

/// A command of the command line alone: it prints what follows from the table of commands.
struct TextCommand {
  std::string name, summary, argument;
  std::vector<std::string> words;  ///< that the argument may be, where they are a fixed few
};

std::span<const TextCommand> text_commands();

/// One option of the command line and of JSON requests.
struct Option {
  std::string name;   ///< without dashes: "global-batch"
  std::string value;  ///< how help shows the value: "N"; empty: a switch
  std::string help;
  std::string group;  ///< heading of the help text
  std::vector<Command> commands;
  /// Reads `text` into the request; returns what is wrong with it: "must be a whole number from 1
  /// to 1e+12, not 0".
  std::function<std::optional<std::string>(std::string_view text, Request& request)> read;

  bool repeats = false;                   ///< may be given more than once
  std::vector<std::string> choices = {};  ///< the words that it takes, where they are a few
  bool own_text = false;                  ///< see commands::OptionInfo

  [[nodiscard]] bool is_switch() const { return value.empty(); }
  [[nodiscard]] bool applies_to(Command command) const;
};

/// The one table of options: it feeds the command line, its help and the checks.
const std::vector<Option>& options();

/// The default that an option of the timing model or machine takes when it is not given.
namespace defaults {
inline constexpr std::string_view kSystem = "dgx-h100";
inline constexpr std::string_view kCalibration = "default";
}  // namespace defaults

}  // namespace planner
