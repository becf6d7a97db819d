#include <fmt/format.h>

#include <algorithm>

#include "planner/cli/command_help.hpp"

namespace planner {

namespace {

/// Text inside single quotes of any of the three shells.
std::string single_quoted(std::string_view text, std::string_view quote = "'\\''") {
  std::string inside;
  for (const char c : text) c == '\'' ? inside += quote : inside += c;
  return "'" + inside + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string names_of(const std::vector<CommandHelp>& commands, const char* between) {
  std::vector<std::string> names;
  for (const CommandHelp& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, between));
}

/// Options that take names of our files list them while completing.
bool takes_catalog_name(const OptionHelp& option) {
  return option.value == "NAME|FILE";
}

/// Options are called as `planner list` calls what they name, but for the library of collectives.
std::string listing(const OptionHelp& option) {
  const std::string kind = option.flag == "--library" ? "collectives" : option.flag.substr(2);
  return fmt::format("planner list {} --format csv 2>/dev/null | sed '1d; s/,.*//'", kind);
}

std::string flags_of(const CommandHelp& command) {
  std::vector<std::string> flags;
  for (const OptionHelp& option : command.options) {
    flags.push_back(option.flag);
    if (!option.short_flag.empty()) flags.push_back(option.short_flag);
  }
  return joined(flags);
}

/// Completes flags and fixed words; where none match, readline completes file names. Names of files
/// are a stranger's words: compgen -W would run a $(…) in them, so they are compared by the shell
/// and quoted.
std::string bash(const std::vector<CommandHelp>& commands) {
  std::string flags, values;
  for (const CommandHelp& command : commands) {
    flags += fmt::format("    {}) flags={} arguments={} ;;\n", command.name,
                         single_quoted(flags_of(command)), single_quoted(joined(command.words)));
    for (const OptionHelp& option : command.options) {
      if (!option.words.empty()) {
        values += fmt::format("    '{} {}') words={} ;;\n", command.name, option.flag,
                              single_quoted(joined(option.words)));
      } else if (takes_catalog_name(option)) {
        values += fmt::format("    '{} {}') names=$({}) ;;\n", command.name, option.flag,
                              listing(option));
      } else if (!option.value.empty()) {
        values += fmt::format("    '{} {}') return ;;\n", command.name, option.flag);
      }
    }
  }
  return fmt::format(
      R"script(# bash completion for planner
_planner() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= flags= arguments= words= names= word
  COMPREPLY=()
  # A sweep takes the options of the command that it runs.
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
      {0}) command=$word; [ "$word" = sweep ] || break ;;
    esac
  done
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W '{1} --help --version' -- "$current"))
    return
  fi
  case $command in
{2}  esac
  case "$command $previous" in
{3}    *) case $current in -*) words=$flags ;; *) words=$arguments ;; esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  while IFS= read -r word; do
    [[ -n $word && $word == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
  done <<<"$names"
}}
complete -o default -F _planner planner
)script",
      names_of(commands, "|"), names_of(commands, " "), flags, values);
}

/// Help in brackets of an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_value(const OptionHelp& option) {
  if (option.value.empty()) return {};
  const std::string label = ":" + zsh_text(option.value) + ":";
  if (!option.words.empty()) return label + "(" + joined(option.words) + ")";
  if (takes_catalog_name(option)) {
    return label + fmt::format("{{compadd -- ${{(f)\"$({})\"}}; _files}}", listing(option));
  }
  return label + "_files";
}

std::string zsh(const std::vector<CommandHelp>& commands) {
  std::string names, cases;
  for (const CommandHelp& command : commands) {
    names += fmt::format("    {}\n", single_quoted(command.name + ":" + zsh_text(command.summary)));
    cases += fmt::format("        {})\n          _arguments", command.name);
    for (const OptionHelp& option : command.options) {
      const std::string help = "[" + zsh_text(option.help) + "]";
      for (const std::string& flag : {option.flag, option.short_flag}) {
        if (flag.empty()) continue;
        cases += " \\\n            " + single_quoted(flag + help + zsh_value(option));
      }
    }
    if (!command.arguments.empty()) {
      cases +=
          " \\\n            " +
          single_quoted("*:" + zsh_text(command.arguments) + ":" +
                        (command.words.empty() ? "_files" : "(" + joined(command.words) + ")"));
    }
    cases += "\n          ;;\n";
  }
  return fmt::format(
      R"(#compdef planner
# zsh completion for planner
_planner() {{
  local context state line
  typeset -A opt_args
  local -a names
  names=(
{}  )
  _arguments -C '--help[help]' '--version[version and commit]' '1:command:->command' '*::argument:->rest'
  case $state in
    command) _describe command names ;;
    rest)
      case $line[1] in
{}      esac
      ;;
  esac
}}
_planner "$@"
)",
      names, cases);
}

/// fish knows \' and \\ inside single quotes.
std::string fish_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += '\\';
    escaped += c;
  }
  return single_quoted(escaped, "\\'");
}

std::string fish_value(const OptionHelp& option) {
  if (option.value.empty()) return {};
  if (!option.words.empty()) return " -xa " + fish_text(joined(option.words));
  if (takes_catalog_name(option)) return " -ra " + fish_text("(" + listing(option) + ")");
  return " -r";
}

std::string fish(const std::vector<CommandHelp>& commands) {
  std::string text =
      "# fish completion for planner\n"
      "complete -c planner -n __fish_use_subcommand -l version -d 'version and commit'\n";
  for (const CommandHelp& command : commands) {
    text += fmt::format("complete -c planner -n __fish_use_subcommand -xa {} -d {}\n", command.name,
                        fish_text(command.summary));
  }
  for (const CommandHelp& command : commands) {
    const std::string when =
        "complete -c planner -n " + single_quoted("__fish_seen_subcommand_from " + command.name);
    if (!command.words.empty()) {
      text += fmt::format("{} -xa {}\n", when, fish_text(joined(command.words)));
    }
    for (const OptionHelp& option : command.options) {
      text += fmt::format("{} -l {}", when, option.flag.substr(2));
      if (!option.short_flag.empty()) text += " -s " + option.short_flag.substr(1);
      text += fish_value(option) + " -d " + fish_text(option.help) + '\n';
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, const std::vector<CommandHelp>& commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  return {};
}

}  // namespace planner
