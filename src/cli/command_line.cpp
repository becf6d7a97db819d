#include "planner/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "planner/api/options.hpp"
#include "planner/core/closest_match.hpp"

namespace planner {

namespace {

constexpr const char* kDescription =
    "planner: how to train a transformer on a GPU cluster, and how long that takes";

constexpr const char* kFooter = R"(Bandwidths are GB/s per GPU and direction; 1 GB is 1e9 bytes.
Exit codes: 0 done, 1 a bug, 2 usage, 3 bad input, 4 nothing feasible,
5 a limit given is exceeded, 130 interrupted.)";

std::string names_of(const std::vector<Format>& formats) {
  std::string names;
  for (const Format format : formats) {
    (names += names.empty() ? "" : ", ") += name_of(format);
  }
  return names;
}

/// The display options, which every command has.
void add_display(CLI::App& app, std::string_view command, Display& display,
                 std::optional<Format>& format) {
  const char* group = "The answer";
  app.add_option_function<std::string>(
         "--format",
         [&format](const std::string& name) {
           format = format_named(name);
           if (format) return;
           throw CLI::ValidationError(
               "--format", fmt::format("must be one of {}, not \"{}\"",
                                       names_of({kFormats.begin(), kFormats.end()}), name));
         },
         names_of(formats_of(command)))
      ->type_name("FORMAT")
      ->group(group);
  app.add_flag_callback(
         "--json", [&format] { format = Format::json; }, "--format json")
      ->group(group);
  app.add_option_function<std::string>(
         "-o,--output", [&display](const std::string& path) { display.output = path; },
         "write to a file; its ending infers the format")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--quiet", display.quiet, "no warnings, no progress")->group(group);
  app.add_flag("--no-color", display.no_color, "plain text on a terminal too")->group(group);
}

void add_option(CLI::App& app, const Option& option, Request& request) {
  const std::string flag = "--" + option.name;
  if (option.is_switch()) {
    app.add_flag_callback(
           flag, [&] { option.read("", request); }, option.help)
        ->group(option.group);
    return;
  }
  app.add_option_function<std::string>(
         flag,
         [&, flag](const std::string& text) {
           if (const auto problem = option.read(text, request)) {
             throw CLI::ValidationError(flag, *problem);
           }
         },
         option.help)
      ->type_name(option.value)
      ->group(option.group);
}

Diagnostic usage(std::string message, std::string hint = {}) {
  return {.code = "usage", .message = std::move(message), .hint = std::move(hint)};
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const auto match = closest_match(word, candidates);
  return match ? fmt::format("did you mean \"{}\"?", *match) : otherwise;
}

/// What is wrong with an argument that no option and no positional took.
Diagnostic unexpected(const std::string& argument, Command command) {
  const std::string see = fmt::format("see planner {} --help", name_of(command));
  if (argument.rfind("-", 0) != 0) {
    return usage(fmt::format("unexpected argument \"{}\"", argument), see);
  }
  std::vector<std::string> flags{"--format", "--json",     "--output",
                                 "--quiet",  "--no-color", "--help"};
  for (const Option& option : options()) {
    if (option.applies_to(command)) flags.push_back("--" + option.name);
  }
  const std::string flag = argument.substr(0, argument.find('='));
  return usage(fmt::format("unknown flag \"{}\"", flag), did_you_mean(flag, flags, see));
}

/// JSON errors are wanted even where the rest of the line is not understood.
bool asks_for_json(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json" || arguments[i] == "--format=json") return true;
    if (arguments[i] == "--format" && i + 1 < arguments.size() && arguments[i + 1] == "json") {
      return true;
    }
  }
  return false;
}

/// The parser with all its commands; fills an invocation.
class Parser {
 public:
  Parser() : app_(kDescription, "planner") {
    app_.require_subcommand(0, 1);
    app_.footer(kFooter);
    app_.set_version_flag("--version", "planner " PLANNER_VERSION);
    app_.allow_extras();
    for (const CommandInfo& info : commands()) add_command(info);
  }

  std::variant<Invocation, HelpText, Misuse> parse(const std::vector<std::string>& arguments) {
    Display display{.format = asks_for_json(arguments) ? Format::json : Format::table};
    const auto misuse = [&](Diagnostic problem) {
      return Misuse{.response = {.command = invocation_.request.command,
                                 .exit_code = ExitCode::usage,
                                 .errors = {std::move(problem)}},
                    .display = display};
    };
    try {
      // CLI11 takes the arguments from the back.
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
      return HelpText{app_.help() + '\n'};
    } catch (const CLI::CallForVersion&) {
      return HelpText{"planner " PLANNER_VERSION "\n"};
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string text = error.what();  // "--gpus: 1 required N missing", "--gpus: … got 2"
      const bool missing = text.find("missing") != std::string::npos;
      return misuse(usage(text.substr(0, text.find(':')) +
                          (missing ? " needs a value" : " is given more than once")));
    } catch (const CLI::ParseError& error) {
      return misuse(usage(error.what()));
    }
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    if (chosen.empty()) return without_command(misuse);
    for (const CommandInfo& info : commands()) {
      if (info.name == chosen.front()->get_name()) invocation_.request.command = info.command;
    }
    const std::vector<std::string> left = app_.remaining(true);
    if (!left.empty()) return misuse(unexpected(left.front(), invocation_.request.command));
    infer_format();
    const std::string_view command = name_of(invocation_.request.command);
    if (auto problem = display_problem(command, formats_of(command), invocation_.display)) {
      return misuse(*std::move(problem));
    }
    return std::move(invocation_);
  }

 private:
  void add_command(const CommandInfo& info) {
    CLI::App& sub = *app_.add_subcommand(info.name, info.summary);
    sub.allow_extras();
    if (!info.arguments.empty()) {
      sub.add_option(info.arguments, invocation_.request.arguments)->type_name("");
    }
    for (const Option& option : options()) {
      if (option.applies_to(info.command)) add_option(sub, option, invocation_.request);
    }
    add_display(sub, info.name, invocation_.display, format_);
  }

  template <class MakeMisuse>
  std::variant<Invocation, HelpText, Misuse> without_command(const MakeMisuse& misuse) {
    const std::vector<std::string> left = app_.remaining(false);
    if (left.empty()) return misuse(usage("no command given", "planner --help lists them"));
    std::vector<std::string> names;
    for (const CommandInfo& info : commands()) names.push_back(info.name);
    return misuse(usage(fmt::format("unknown command \"{}\"", left.front()),
                        did_you_mean(left.front(), names, "planner --help lists them")));
  }

  /// What was asked for, else what the file's ending says, else what people read.
  void infer_format() {
    Display& display = invocation_.display;
    // The file of calibrate is a calibration, whatever shows the answer.
    const bool answer_to_file = invocation_.request.command != Command::calibrate;
    if (!format_ && display.output && answer_to_file) format_ = format_of(*display.output);
    const bool saved = invocation_.request.command == Command::report;
    display.format = format_.value_or(saved ? Format::markdown : Format::table);
  }

  CLI::App app_;
  std::optional<Format> format_;
  Invocation invocation_;
};

}  // namespace

std::optional<Diagnostic> display_problem(std::string_view command,
                                          const std::vector<Format>& formats,
                                          const Display& display) {
  if (std::find(formats.begin(), formats.end(), display.format) == formats.end()) {
    return usage(
        fmt::format("an answer of {} cannot be shown as {}", command, name_of(display.format)),
        "--format " + names_of(formats));
  }
  if (display.format == Format::xlsx && !display.output) {
    return usage("a workbook is not for the terminal", "give -o FILE.xlsx");
  }
  return std::nullopt;
}

std::variant<Invocation, HelpText, Misuse> parse_command_line(
    const std::vector<std::string>& arguments) {
  return Parser().parse(arguments);
}

}  // namespace planner
