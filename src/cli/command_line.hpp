#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner/api/request.hpp"
#include "planner/api/response.hpp"
#include "planner/report/format.hpp"

namespace planner {

/// How the answer is shown; no part of the request.
struct Display {
  Format format = Format::table;
  std::optional<std::filesystem::path> output;  ///< instead of standard output
  bool inferred = false;                        ///< the format, from the ending of `output`
  bool own_file = false;                        ///< `output` is not for the answer itself
  bool quiet = false;                           ///< neither warnings nor progress
  bool no_color = false;

  bool operator==(const Display&) const = default;
};

struct Invocation {
  Request request;
  Display display;
};

/// `--help` or `--version`: text for standard output.
struct HelpText {
  std::string text;
};

/// A command line that cannot be understood, as an answer with exit code 2.
struct Misuse {
  Response response;
  Display display;
};

/// What is wrong with showing an answer of `command` so; nothing when all is well.
/// @param formats  those that the command's answers have
std::optional<Diagnostic> display_problem(std::string_view command,
                                          const std::vector<Format>& formats,
                                          const Display& display);

/// Understands the arguments after the program's name.
std::variant<Invocation, HelpText, Misuse> parse_command_line(
    const std::vector<std::string>& arguments);

}  // namespace planner
