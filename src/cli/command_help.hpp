#pragma once

#include <string>
#include <vector>

namespace planner {

/// An option as help, completions and manual pages show it.
struct OptionHelp {
  std::string flag;        ///< "--output"
  std::string short_flag;  ///< "-o", or empty
  std::string value;       ///< "FILE"; empty: a switch
  std::string help;
  std::string group;
  std::vector<std::string> words;  ///< all values there are, where they are a fixed few

  bool operator==(const OptionHelp&) const = default;
};

/// A command as help shows it; the program itself has no name.
struct CommandHelp {
  std::string name, summary;
  std::string arguments;           ///< "FILE", or empty
  std::vector<std::string> words;  ///< all arguments there are, where they are a fixed few
  std::vector<OptionHelp> options;
};

/// All commands, as the parser of the command line knows them, in the order of the help text.
std::vector<CommandHelp> command_help();

/// The script that completes planner's commands, options and names.
/// @param shell  "bash", "zsh" or "fish"; nothing for another
std::string completion_script(const std::string& shell, const std::vector<CommandHelp>& commands);

/// The manual page (roff, macros of man) of a command; of the program for an empty name; nothing
/// for a command that is not there.
std::string manual_page(const std::string& command, const std::vector<CommandHelp>& commands);

/// "planner 0.1.0 (1a2b3c4)": version and commit.
std::string version_text();

}  // namespace planner
