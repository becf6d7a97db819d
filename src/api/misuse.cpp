#include "planner/api/misuse.hpp"

#include <fmt/format.h>

#include "planner/api/options.hpp"

namespace planner {

namespace {

std::string see_help(Command command) {
  return fmt::format("see planner {} --help", name_of(command));
}

}  // namespace

Diagnostic unknown_command(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandInfo& info : command_table()) names.push_back(info.name);
  for (const TextCommand& command : text_commands()) names.push_back(command.name);
  return misuse(fmt::format("unknown command \"{}\"", name),
                did_you_mean(name, names, "planner --help lists them"));
}

Diagnostic unknown_flag(const std::string& flag, Command command,
                        std::span<const std::string> more) {
  std::vector<std::string> flags{more.begin(), more.end()};
  for (const Option& option : options()) {
    if (option.applies_to(command) || command == Command::sweep)
      flags.push_back("--" + option.name);
  }
  return misuse(fmt::format("unknown flag \"{}\"", flag),
                did_you_mean(flag, flags, see_help(command)));
}

Diagnostic unexpected_argument(const std::string& argument, Command command) {
  return misuse(fmt::format("unexpected argument \"{}\"", argument), see_help(command));
}

}  // namespace planner
