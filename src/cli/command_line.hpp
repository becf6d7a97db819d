#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/commands/format.hpp"
#include "planner/commands/reply.hpp"

namespace planner {

/// How the answer is shown; no part of the request.
struct Display {
  const commands::Format* format = &commands::table_format();
  std::optional<std::filesystem::path> output;  ///< instead of standard output
  bool asked = false;                           ///< for the format, by its name
  bool inferred = false;                        ///< the format, from the ending of `output`
  bool own_file = false;                        ///< `output` is not for the answer itself
  bool quiet = false;                           ///< neither warnings nor progress
  bool no_color = false;

  bool operator==(const Display&) const = default;
};

struct Invocation {
  commands::Call call;
  Display display;
};

/// `--help` or `--version`: text for standard output.
struct HelpText {
  std::string text;
};

/// A command line that cannot be understood, as a reply with exit code 2.
struct Misuse {
  commands::Reply reply;
  Display display;
};

/// Settles the format of an answer of `command`: the one asked for, else what the file's ending
/// says, else what people read. Returns what is wrong with it; nothing when all is well.
/// @param own_text  the answer is a text of its own kind, whatever its file is called
std::optional<Diagnostic> settle_format(const commands::Command& command, bool own_text,
                                        Display& display);

/// Understands the arguments after the program's name.
std::variant<Invocation, HelpText, Misuse> parse_command_line(
    const std::vector<std::string>& arguments);

}  // namespace planner
