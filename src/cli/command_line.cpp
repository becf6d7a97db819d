#include "planner/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "planner/cli/command_help.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/core/usage.hpp"

namespace planner {

namespace {

using namespace commands;

constexpr const char* kDescription =
    "planner: how to train a transformer on a GPU cluster, and how long that takes";

constexpr const char* kFooter =
    R"(Bandwidths are GB/s per GPU and direction unless an option says otherwise;
1 GB is 1e9 bytes.
Exit codes: 0 done, 1 a bug, 2 usage, 3 bad input, 4 nothing feasible,
5 a limit given is exceeded, 130 interrupted.)";

/// The display options, which every command has.
void add_display(CLI::App& app, const Command& command, Display& display, const Format*& format) {
  const char* group = kAnswer;
  app.add_option_function<std::string>(
         "--format",
         [&format](const std::string& name) {
           format = format_named(name);
           if (format != nullptr) return;
           throw CLI::ValidationError("--format", fmt::format("must be one of {}, not \"{}\"",
                                                              names_of(formats_of(false)), name));
         },
         names_of(formats_of(command.to_the_letter)))
      ->type_name("FORMAT")
      ->group(group);
  app.add_flag_callback(
         "--json",
         [&format] {
           if (format != nullptr && format != &json_format()) {
             throw CLI::ValidationError(
                 "--json", fmt::format("contradicts --format {}: give one of them", format->name));
           }
           format = &json_format();
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

void add_option(CLI::App& app, const Command::Option& option, Call& call) {
  const OptionInfo& info = option.info;
  const std::string flag = "--" + info.name;
  const auto read = [&option, &call, flag](const std::string& text) {
    if (const auto problem = option.problem(text)) throw CLI::ValidationError(flag, *problem);
    call.options.emplace_back(option.info.name, text);
  };
  if (info.repeats) {
    app.add_option_function<std::vector<std::string>>(
           flag,
           [read](const std::vector<std::string>& texts) {
             for (const std::string& text : texts) read(text);
           },
           info.told())
        ->allow_extra_args(false)
        ->type_name(info.value)
        ->group(info.group);
    return;
  }
  if (info.is_switch()) {
    app.add_flag_callback(
           flag, [read] { read(""); }, info.told())
        ->group(info.group);
    return;
  }
  app.add_option_function<std::string>(flag, read, info.told())
      ->type_name(info.value)
      ->group(info.group);
}

/// What is wrong with an argument that no option and no positional took.
Diagnostic unexpected(const std::string& argument, const Command& command) {
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

/// The options that a command's parser knows.
class Known {
 public:
  /// All of them.
  Known() = default;
  /// Those that a line names, all if it asks for help: a command has up to 150, and CLI11 compares
  /// each with all before it.
  explicit Known(const std::vector<std::string>& line) : line_(&line) {
    const auto asks = [](const std::string& word) {
      return word.starts_with("--help") || word.starts_with("-h");
    };
    if (std::any_of(line.begin(), line.end(), asks)) line_ = nullptr;
  }

  bool operator()(const OptionInfo& option) const {
    const std::string flag = "--" + option.name;
    const auto names_it = [&flag](const std::string& word) {
      return word.starts_with(flag) && (word.size() == flag.size() || word[flag.size()] == '=');
    };
    return line_ == nullptr || std::any_of(line_->begin(), line_->end(), names_it);
  }

 private:
  const std::vector<std::string>* line_ = nullptr;
};

/// The options of the commands that this one runs, which read them themselves.
std::vector<CLI::Option*> add_handed_on(CLI::App& app, const Known& known, Call& call) {
  std::vector<CLI::Option*> added;
  for (const OptionInfo* const option : handed_on()) {
    if (!known(*option)) continue;
    const std::string flag = "--" + option->name;
    const auto keep = [&call, option](const std::string& text) {
      call.options.emplace_back(option->name, text);
    };
    if (option->is_switch()) {
      added.push_back(app.add_flag_callback(flag, [keep] { keep({}); }));
    } else {
      added.push_back(app.add_option_function<std::string>(flag, keep));
    }
  }
  return added;
}

/// The parser with all its commands; fills an invocation.
class Parser {
 public:
  /// @param arguments  where they name a command first, the parser knows no other; else commands
  /// that they do not name get their options when help() needs them
  explicit Parser(const std::vector<std::string>& arguments = {}) : app_(kDescription, "planner") {
    app_.require_subcommand(0, 1);
    app_.footer(kFooter);
    app_.set_version_flag("--version", version_text());
    app_.allow_extras();
    if (const Command* const one = arguments.empty() ? nullptr : command_named(arguments.front())) {
      add_options(*one, add_command(*one), Known(arguments));
      return;
    }
    for (const Command& command : registry()) {
      CLI::App& sub = add_command(command);
      const auto named = std::find(arguments.begin(), arguments.end(), command.name);
      if (named != arguments.end()) add_options(command, sub);
    }
    for (const TextCommand& command : text_commands()) {
      CLI::App& sub = *app_.add_subcommand(command.name, command.summary);
      sub.add_option(command.argument, text_arguments_)->type_name("");
      sub.allow_extras();
    }
  }

  /// What the parser knows, for completions and manual pages.
  std::vector<CommandHelp> help() {
    for (const Command& command : registry()) {
      CLI::App& sub = *app_.get_subcommand(command.name);
      if (sub.get_option_no_throw("--format") == nullptr) add_options(command, sub);
    }
    hide_handed_on();
    std::vector<CommandHelp> all;
    for (const Command& command : registry()) {
      all.push_back(
          {.name = command.name,
           .summary = command.summary,
           .arguments = command.arguments,
           .words = command.words == nullptr ? std::vector<std::string>{} : command.words(),
           .options = option_help(command)});
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
    Display display{.format = asks_for_json(arguments) ? &json_format() : &table_format()};
    const auto refused = [&](Diagnostic problem) {
      return Misuse{.reply = refusal(chosen_command(), std::move(problem)), .display = display};
    };
    try {
      // CLI11 takes the arguments from the back.
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
      hide_handed_on();
      return HelpText{app_.help() + '\n'};
    } catch (const CLI::CallForVersion&) {
      return HelpText{version_text() + '\n'};
      // CLI11's errors say which option they are about in their text alone.
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
      return refused(
          misuse(fmt::format("\"{}\" stands before the command: options follow it", before.front()),
                 "planner COMMAND OPTIONS"));
    }
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    if (chosen.empty()) return without_command(refused);
    for (const TextCommand& command : text_commands()) {
      if (command.name == chosen.front()->get_name()) return text_of(command, refused);
    }
    const Command& command = *chosen_command();
    invocation_.call.command = command.name;
    const std::vector<std::string> left = app_.remaining(true);
    if (!left.empty()) return refused(unexpected(left.front(), command));
    if (auto problem = settle_display(command)) return refused(*std::move(problem));
    return std::move(invocation_);
  }

 private:
  CLI::App& add_command(const Command& command) {
    CLI::App& sub = *app_.add_subcommand(command.name, command.summary);
    sub.allow_extras();
    return sub;
  }

  void add_options(const Command& command, CLI::App& sub, const Known& known = {}) {
    if (!command.arguments.empty()) {
      sub.add_option(command.arguments, invocation_.call.arguments)->type_name("");
    }
    for (const Command::Option& option : command.options) {
      if (known(option.info)) add_option(sub, option, invocation_.call);
    }
    if (command.runs_others) handed_on_ = add_handed_on(sub, known, invocation_.call);
    add_display(sub, command, invocation_.display, format_);
  }

  /// Leaves them out of help. CLI11 has no names for hidden options in what it says of a line, so
  /// they are not hidden before.
  void hide_handed_on() {
    for (CLI::Option* const option : handed_on_) option->group("");
  }

  /// The command that the line names, even where the rest of it is not understood.
  const Command* chosen_command() {
    const std::vector<CLI::App*> chosen = app_.get_subcommands();
    return chosen.empty() ? nullptr : command_named(chosen.front()->get_name());
  }

  template <class MakeMisuse>
  std::variant<Invocation, HelpText, Misuse> without_command(const MakeMisuse& refused) {
    const std::vector<std::string> left = app_.remaining(false);
    if (left.empty()) return refused(misuse("no command given", "planner --help lists them"));
    return refused(unknown_command(left.front()));
  }

  std::vector<OptionHelp> option_help(const Command& command) {
    std::vector<OptionHelp> list;
    for (const CLI::Option* option : app_.get_subcommand(command.name)->get_options()) {
      if (option->get_lnames().empty() || option->get_group().empty()) continue;
      OptionHelp& help = list.emplace_back();
      help.flag = "--" + option->get_lnames().front();
      if (!option->get_snames().empty()) help.short_flag = "-" + option->get_snames().front();
      if (option->get_items_expected_max() > 0) help.value = option->get_type_name();
      help.help = option->get_description();
      help.group = option->get_group();
      for (const Command::Option& known : command.options) {
        if ("--" + known.info.name == help.flag) help.words = known.info.choices;
      }
      if (help.flag == "--format") {
        for (const Format* const format : formats_of(command.to_the_letter)) {
          help.words.emplace_back(format->name);
        }
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
  [[nodiscard]] bool has_own_text(const Command& command) const {
    const auto& given = invocation_.call.options;
    return std::any_of(command.options.begin(), command.options.end(), [&](const auto& option) {
      return option.info.own_text && std::any_of(given.begin(), given.end(), [&](const auto& one) {
               return one.first == option.info.name;
             });
    });
  }

  std::optional<Diagnostic> settle_display(const Command& command) {
    Display& display = invocation_.display;
    if (display.output == "-") display.output.reset();
    display.asked = format_ != nullptr;
    if (display.asked) display.format = format_;
    // The file of calibrate is a calibration, whatever shows the answer.
    display.own_file = static_cast<bool>(command.file);
    if (command.replays) return {};  // the saved answer says which formats it has
    return settle_format(command, has_own_text(command), display);
  }

  CLI::App app_;
  const Format* format_ = nullptr;  ///< asked for by name
  std::vector<std::string> text_arguments_;
  std::vector<CLI::Option*> handed_on_;  ///< which `app_` owns
  Invocation invocation_;
};

}  // namespace

std::optional<Diagnostic> settle_format(const Command& command, bool own_text, Display& display) {
  const bool may_infer = !display.asked && !own_text && !display.own_file;
  if (may_infer && display.output && display.output->has_extension()) {
    const Format* const inferred = format_of(*display.output);
    if (inferred == nullptr) {
      std::string endings;
      for (const Format& format : formats()) endings += fmt::format(" .{}", format.ending);
      return misuse(fmt::format("-o {}: no format ends in {}", display.output->string(),
                                display.output->extension().string()),
                    "give --format too, or one of" + endings);
    }
    display.format = inferred;
    display.inferred = true;
  }
  const auto among = formats_of(command.to_the_letter || own_text);
  if (auto problem = format_problem(command, *display.format, among)) return problem;
  if (!display.format->is_text && !display.output) {
    return misuse("a workbook is not for the terminal", "give -o FILE.xlsx");
  }
  return std::nullopt;
}

std::vector<CommandHelp> command_help() {
  return Parser().help();
}

std::variant<Invocation, HelpText, Misuse> parse_command_line(
    const std::vector<std::string>& arguments) {
  return Parser(arguments).parse(arguments);
}

}  // namespace planner
