#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "planner/cli/command_help.hpp"

namespace planner {

namespace {

/// Text as roff shows it: no line of it is a request, and hyphens of options stay what they are.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  const bool request = !escaped.empty() && (escaped.front() == '.' || escaped.front() == '\'');
  return (request ? "\\&" : "") + escaped;
}

std::string head(const std::string& name, const std::string& summary) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(
      ".\\\" -*- mode: troff; coding: utf-8 -*-\n.TH {} 1 \"\" \"{}\" \"planner manual\"\n.SH "
      "NAME\n"
      "{} \\- {}\n",
      roff(upper), roff("planner " PLANNER_VERSION), roff(name), roff(summary));
}

std::string exit_codes() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : {std::pair{"0", "done"},
                                      {"1", "a bug in planner"},
                                      {"2", "a command line that is not understood"},
                                      {"3", "bad input: an unknown name, a broken file"},
                                      {"4", "nothing feasible; the closest miss is shown"},
                                      {"5", "a limit that was given is exceeded"},
                                      {"130", "interrupted"}}) {
    text += fmt::format(".TP\n.B {}\n{}\n", code, meaning);
  }
  return text;
}

std::string option_entry(const OptionHelp& option) {
  std::string flags = "\\fB" + roff(option.flag) + "\\fR";
  if (!option.short_flag.empty()) flags = "\\fB" + roff(option.short_flag) + "\\fR, " + flags;
  if (!option.value.empty()) flags += " \\fI" + roff(option.value) + "\\fR";
  return ".TP\n" + flags + '\n' + roff(option.help) + '\n';
}

std::string page(const CommandHelp& command) {
  std::string text = head("planner-" + command.name, command.summary);
  text += fmt::format(".SH SYNOPSIS\n.B planner {}\n[\\fIoptions\\fR]", roff(command.name));
  if (!command.arguments.empty()) text += " \\fI" + roff(command.arguments) + "\\fR";
  text += '\n';
  std::vector<std::string> groups;  // in the order of their first options, as --help has them
  for (const OptionHelp& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  for (const std::string& group : groups) {
    text += fmt::format(".SH \"{}\"\n", roff(group));
    for (const OptionHelp& option : command.options) {
      if (option.group == group) text += option_entry(option);
    }
  }
  return text + exit_codes() + ".SH SEE ALSO\n.BR planner (1)\n";
}

std::string main_page(const std::vector<CommandHelp>& commands) {
  std::string text =
      head("planner", "how to train a transformer on a GPU cluster, and how long that takes");
  text +=
      ".SH SYNOPSIS\n.B planner\n\\fIcommand\\fR [\\fIoptions\\fR]\n"
      ".SH COMMANDS\nEach has a page of its own:\n.BR planner\\-optimize (1)\nand so on.\n";
  for (const CommandHelp& command : commands) {
    text += fmt::format(".TP\n.B {}\n{}\n", roff(command.name), roff(command.summary));
  }
  text +=
      ".SH UNITS\nBandwidths are GB/s per GPU and direction unless an option says\notherwise; "
      "1 GB is 1e9 bytes.\n"
      ".SH ENVIRONMENT\n.TP\n.B PLANNER_DATA_DIR\nwhere models and catalog are looked up, before\n"
      ".IR $XDG_DATA_HOME/planner .\n.TP\n.B NO_COLOR\nno colours, on a terminal too\n";
  return text + exit_codes();
}

}  // namespace

std::string manual_page(const std::string& command, const std::vector<CommandHelp>& commands) {
  if (command.empty()) return main_page(commands);
  for (const CommandHelp& one : commands) {
    if (one.name == command) return page(one);
  }
  return {};
}

}  // namespace planner
