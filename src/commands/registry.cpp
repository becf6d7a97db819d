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

/// A command that is made when it is first asked for: one has up to 150 options, and most calls are
/// of one.
struct Entry {
  std::string_view name;
  const Command& (*command)();
};

template <Command (*make)()>
const Command& made() {
  static const Command kCommand = make();
  return kCommand;
}

constexpr std::array kEntries{Entry{"optimize", made<optimize>},
                              Entry{"estimate", made<estimate>},
                              Entry{"traffic", made<traffic>},
                              Entry{"network", made<network>},
                              Entry{"collective", made<collective>},
                              Entry{"cost", made<cost>},
                              Entry{"compare", made<compare>},
                              Entry{"design", made<design>},
                              Entry{"build", made<build>},
                              Entry{"sweep", made<sweep>},
                              Entry{"routing", made<routing>},
                              Entry{"reliability", made<reliability>},
                              Entry{"hfreduce", made<hfreduce>},
                              Entry{"validate", made<validate>},
                              Entry{"calibrate", made<calibrate>},
                              Entry{"report", made<report>},
                              Entry{"diff", made<diff>},
                              Entry{"list", made<list>},
                              Entry{"show", made<show>},
                              Entry{"schema", made<schema>}};

}  // namespace

std::span<const Command> registry() {
  static const std::vector<Command> kCommands = [] {
    std::vector<Command> all;
    for (const Entry& entry : kEntries) all.push_back(entry.command());
    return all;
  }();
  return kCommands;
}

const Command* command_named(std::string_view name) {
  const auto* const found = std::find_if(kEntries.begin(), kEntries.end(),
                                         [&](const Entry& entry) { return entry.name == name; });
  return found == kEntries.end() ? nullptr : &found->command();
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
