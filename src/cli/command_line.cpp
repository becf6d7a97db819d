#include "planner/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "planner/api/misuse.hpp"
#include "planner/api/options.hpp"
#include "planner/cli/command_help.hpp"
#include "planner/commands/command.hpp"

namespace planner {

namespace {

constexpr const char* kDescription =
    "planner: how to train a transformer on a GPU cluster, and how long that takes";

constexpr const char* kFooter =
    R"(Bandwidths are GB/s per GPU and direction unless an option says otherwise;
1 GB is 1e9 bytes.
Exit codes: 0 done, 1 a bug, 2 usage, 3 bad input, 4 nothing feasible,
5 a limit given is exceeded, 130 interrupted.)";

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
         "--json",
         [&format] {
           if (format && format != Format::json) {
             throw CLI::ValidationError(
                 "--json",
                 fmt::format("contradicts --format {}: give one of them", name_of(*format)));
           }
           format = Format::json;
         },
         "--format json")
      ->group(group);
  app.add_option_function<std::string>(
         "-o,--output",
         [&display](const std::string& path) {
           if (path.empty()) throw CLI::ValidationError("--output", "must not be empty");
           display.output = path;
         },
         "write to a file; its ending infers the format")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--quiet", display.quiet, "no warnings, no progress")->group(group);
  app.add_flag("--no-color", display.no_color, "plain text on a terminal too")->group(group);
}

void add_option(CLI::App& app, const Option& option, Request& request) {
  const std::string flag = "--" + option.name;
  const auto read = [&, flag](const std::string& text) {
    if (const auto problem = option.read(text, request)) {
      throw CLI::ValidationError(flag, *problem);
    }
  };
  if (option.repeats) {
    app.add_option_function<std::vector<std::string>>(
           flag,
           [read](const std::vector<std::string>& texts) {
             for (const std::string& text : texts) read(text);
           },
           option.help)
        ->allow_extra_args(false)
        ->type_name(option.value)
        ->group(option.group);
    return;
  }
  if (option.is_switch()) {
    app.add_flag_callback(
           flag, [read] { read(""); }, option.help)
        ->group(option.group);
    return;
  }
  app.add_option_function<std::string>(flag, read, option.help)
      ->type_name(option.value)
      ->group(option.group);
}

/// `sweep` hands the options of the other commands on to the one that it runs.
void add_swept_options(CLI::App& app, Request& request) {
  constexpr const char* kHidden = "";
  std::set<std::string_view> added;
  for (const Option& option : options()) {
    if (option.applies_to(Command::sweep) || !added.insert(option.name).second) continue;
    const std::string flag = "--" + option.name;
    const auto keep = [&](const std::string& text) {
      request.swept_options.emplace_back(option.name, text);
    };
    if (option.is_switch()) {
      app.add_flag_callback(flag, [keep] { keep({}); })->group(kHidden);
    } else {
      app.add_option_function<std::string>(flag, keep)->group(kHidden);
    }
  }
}

/// What is wrong with an argument that no option and no positional took.
Diagnostic unexpected(const std::string& argument, Command command) {
  if (!argument.starts_with('-')) return unexpected_argument(argument, command);
  static const std::vector<std::string> display_flags{"--format", "--json",     "--output",
                                                      "--quiet",  "--no-color", "--help"};
  return unknown_flag(argument.substr(0, argument.find('=')), command, display_flags);
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
    app_.set_version_flag("--version", version_text());
    app_.allow_extras();
    for (const CommandInfo& info : command_table()) add_command(info);
    for (const TextCommand& command : text_commands()) {
      CLI::App& sub = *app_.add_subcommand(command.name, command.summary);
      sub.add_option(command.argument, text_arguments_)->type_name("");
      sub.allow_extras();
    }
  }

  /// What the parser knows, for completions and manual pages.
  std::vector<CommandHelp> help() {
    std::vector<CommandHelp> all;
    for (const CommandInfo& info : command_table()) {
      all.push_back({.name = info.name,
                     .summary = info.summary,
                     .arguments = info.arguments,
                     .words = words_of(info),
                     .options = option_help(info)});
    }
    for (const TextCommand& command : text_commands()) {
      all.push_back({command.name, command.summary, command.argument, command.words, {}});
    }
    for (CommandHelp& command : all) {
      if (command.name != "manual") continue;
      for (const CommandHelp& other : all) command.words.push_back(other.name);
    }
    return all;
  }

  std::variant<Invocation, HelpText, Misuse> parse(const std::vector<std::string>& arguments) {
    Display display{.format = asks_for_json(arguments) ? Format::json : Format::table};
    const auto refused = [&](Diagnostic problem) {
      return Misuse{.response = {.command = chosen_command(),
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
      return HelpText{version_text() + '\n'};
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string text = error.what();  // "--gpus: 1 required N missing", "--gpus: … got 2"
      const bool missing = text.find("missing") != std::string::npos;
      return refused(misuse(text.substr(0, text.find(':')) +
                            (missing ? " needs a value" : " is given more than once")));
    } catch (const CLI::ConversionError& error) {
      const std::string text = error.what();  // "Could not convert: --quiet = maybe"
      const std::size_t flag = text.find("--");
      return refused(misuse(text.substr(flag, text.find(' ', flag) - flag) + " takes no value"));
    } catch (const CLI::ParseError& error) {
      return refused(misuse(error.what()));
    }
    const std::vector<std::string> before = app_.remaining(false);
    if (!before.empty() && before.front().starts_with("-")) {
      return refused(misuse(fmt::format("\"{}\" comes before the command", before.front()),
                            "planner COMMAND OPTIONS"));
    }
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    if (chosen.empty()) return without_command(refused);
    for (const TextCommand& command : text_commands()) {
      if (command.name == chosen.front()->get_name()) return text_of(command, refused);
    }
    invocation_.request.command = *chosen_command();
    const std::vector<std::string> left = app_.remaining(true);
    if (!left.empty()) return refused(unexpected(left.front(), invocation_.request.command));
    if (auto problem = infer_format()) return refused(*std::move(problem));
    const std::string_view command = name_of(invocation_.request.command);
    std::vector<Format> formats = formats_of(command);
    if (has_own_text()) formats = {Format::table, Format::json};
    if (auto problem = display_problem(command, formats, invocation_.display)) {
      return refused(*std::move(problem));
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
    if (info.command == Command::sweep) add_swept_options(sub, invocation_.request);
    add_display(sub, info.name, invocation_.display, format_);
  }

  /// The command that the line names, even where the rest of it is not understood.
  std::optional<Command> chosen_command() {
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    for (const CommandInfo& info : command_table()) {
      if (!chosen.empty() && info.name == chosen.front()->get_name()) return info.command;
    }
    return std::nullopt;
  }

  template <class MakeMisuse>
  std::variant<Invocation, HelpText, Misuse> without_command(const MakeMisuse& refused) {
    const std::vector<std::string> left = app_.remaining(false);
    if (left.empty()) return refused(misuse("no command given", "planner --help lists them"));
    return refused(unknown_command(left.front()));
  }

  std::vector<OptionHelp> option_help(const CommandInfo& info) {
    std::vector<OptionHelp> list;
    for (const CLI::Option* option : app_.get_subcommand(info.name)->get_options()) {
      if (option->get_lnames().empty() || option->get_group().empty()) continue;
      OptionHelp& help = list.emplace_back();
      help.flag = "--" + option->get_lnames().front();
      if (!option->get_snames().empty()) help.short_flag = "-" + option->get_snames().front();
      if (option->get_items_expected_max() > 0) help.value = option->get_type_name();
      help.help = option->get_description();
      help.group = option->get_group();
      for (const Option& known : options()) {
        if (known.applies_to(info.command) && "--" + known.name == help.flag) {
          help.words = words_of(known);
        }
      }
      if (help.flag == "--format") {
        for (const Format format : formats_of(info.name)) help.words.emplace_back(name_of(format));
      }
    }
    return list;
  }

  template <class MakeMisuse>
  std::variant<Invocation, HelpText, Misuse> text_of(const TextCommand& command,
                                                     const MakeMisuse& refused) {
    const std::vector<std::string> left = app_.remaining(true);
    if (!left.empty() || text_arguments_.size() > 1) {
      const std::string& extra = left.empty() ? text_arguments_.back() : left.front();
      return refused(misuse(fmt::format("unexpected argument \"{}\"", extra)));
    }
    const std::string argument = text_arguments_.empty() ? "" : text_arguments_.front();
    const std::vector<CommandHelp> all = help();
    const bool manual = command.name == "manual";
    std::string text = manual ? manual_page(argument, all) : completion_script(argument, all);
    if (!text.empty()) return HelpText{std::move(text)};
    if (manual) return refused(misuse(fmt::format("there is no command \"{}\"", argument)));
    const std::string shells = "bash, zsh or fish";
    return refused(
        argument.empty()
            ? misuse("completion needs a shell: " + shells)
            : misuse(fmt::format("there is no completion for \"{}\"", argument), shells));
  }

  /// Whether an option makes the answer a file of its own kind.
  [[nodiscard]] bool has_own_text() const {
    const Request& request = invocation_.request;
    return std::any_of(request.given.begin(), request.given.end(), [&](const auto& given) {
      return std::any_of(options().begin(), options().end(), [&](const Option& option) {
        return option.own_text && option.name == given.first && option.applies_to(request.command);
      });
    });
  }

  /// What was asked for, else what the file's ending says, else what people read.
  std::optional<Diagnostic> infer_format() {
    Display& display = invocation_.display;
    if (display.output == "-") display.output.reset();
    const Request& request = invocation_.request;
    const bool saved = request.command == Command::report;
    display.format = format_.value_or(saved ? Format::markdown : Format::table);
    // What is emitted for a training stack is its text, whatever the file is called; the file of
    // calibrate is a calibration, whatever shows the answer.
    const auto* const known = commands::command_named(name_of(request.command));
    display.own_file = known != nullptr && known->file;
    const bool own_text = has_own_text() || display.own_file;
    if (format_ || own_text || !display.output || display.output->extension().empty()) return {};
    const std::optional<Format> inferred = format_of(*display.output);
    if (!inferred) {
      return misuse(fmt::format("-o {}: no format ends in {}", display.output->string(),
                                display.output->extension().string()),
                    "give --format too, or one of .txt .json .csv .md .html .xlsx");
    }
    display.format = *inferred;
    display.inferred = true;
    return {};
  }

  CLI::App app_;
  std::optional<Format> format_;
  std::vector<std::string> text_arguments_;
  Invocation invocation_;
};

}  // namespace

std::optional<Diagnostic> display_problem(std::string_view command,
                                          const std::vector<Format>& formats,
                                          const Display& display) {
  if (auto problem = format_problem(command, formats, display.format)) return problem;
  if (display.format == Format::xlsx && !display.output) {
    return misuse("a workbook is not for the terminal", "give -o FILE.xlsx");
  }
  return std::nullopt;
}

std::vector<CommandHelp> command_help() {
  return Parser().help();
}

std::variant<Invocation, HelpText, Misuse> parse_command_line(
    const std::vector<std::string>& arguments) {
  return Parser().parse(arguments);
}

}  // namespace planner
