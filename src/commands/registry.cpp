#include <algorithm>
#include <array>
#include <set>

#include "planner/commands/build/build.hpp"
#include "planner/commands/calibrate/calibrate.hpp"
#include "planner/commands/collective/collective.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/compare/compare.hpp"
#include "planner/commands/cost/cost.hpp"
#include "planner/commands/design/design.hpp"
#include "planner/commands/diff/diff.hpp"
#include "planner/commands/estimate/estimate.hpp"
#include "planner/commands/hfreduce/hfreduce.hpp"
#include "planner/commands/list/list.hpp"
#include "planner/commands/network/network.hpp"
#include "planner/commands/optimize/optimize.hpp"
#include "planner/commands/options/machine.hpp"
#include "planner/commands/reliability/reliability.hpp"
#include "planner/commands/routing/routing.hpp"
#include "planner/commands/schema/schema.hpp"
#include "planner/commands/show/show.hpp"
#include "planner/commands/sweep/sweep.hpp"
#include "planner/commands/traffic/traffic.hpp"
#include "planner/commands/validate/validate.hpp"

namespace planner::commands {

namespace {

/// A saved answer, rendered again.
Command report() {
  return {.name = "report",
          .summary = "render a saved JSON answer again",
          .arguments = "FILE",
          .options = currency_options(),
          .replays = true};
}

}  // namespace

std::span<const Command> registry() {
  static const std::vector<Command> kCommands{
      optimize(),  estimate(), traffic(), network(), collective(),  cost(),     compare(),
      design(),    build(),    sweep(),   routing(), reliability(), hfreduce(), validate(),
      calibrate(), report(),   diff(),    list(),    show(),        schema()};
  return kCommands;
}

const Command* command_named(std::string_view name) {
  const auto all = registry();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::span<const TextCommand> text_commands() {
  static const std::array<TextCommand, 2> kTextCommands{
      {{"completion",
        "script that completes planner's commands in a shell",
        "SHELL",
        {"bash", "zsh", "fish"}},
       {"manual", "manual page of planner or of one command, as roff", "COMMAND", {}}}};
  return kTextCommands;
}

Command::Option data_dir_option() {
  return {{.name = kDataDir,
           .value = "DIR",
           .help = "look up models and catalog here first",
           .group = kAnswer},
          [](std::string_view text) -> std::optional<std::string> {
            if (text.empty()) return "must not be empty";
            return std::nullopt;
          }};
}

std::vector<const OptionInfo*> handed_on() {
  std::vector<const OptionInfo*> options;
  std::set<std::string_view> names;
  for (const Command& command : registry()) {
    if (!command.lines) continue;
    for (const Command::Option& option : command.options) {
      if (names.insert(option.info.name).second) options.push_back(&option.info);
    }
  }
  return options;
}

}  // namespace planner::commands
