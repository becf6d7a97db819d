#include <algorithm>
#include <array>
#include <mutex>
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
  std::vector<Command::Option> options = currency_options();
  options.push_back(asked_by_option());
  return {.name = "report",
          .summary = "render a saved JSON answer again",
          .arguments = "FILE",
          .options = std::move(options),
          .replays = true};
}

struct Entry {
  std::string_view name;
  Command (*make)();
};

constexpr std::array kEntries{Entry{"optimize", optimize},
                              Entry{"estimate", estimate},
                              Entry{"traffic", traffic},
                              Entry{"network", network},
                              Entry{"collective", collective},
                              Entry{"cost", cost},
                              Entry{"compare", compare},
                              Entry{"design", design},
                              Entry{"build", build},
                              Entry{"sweep", sweep},
                              Entry{"routing", routing},
                              Entry{"reliability", reliability},
                              Entry{"hfreduce", hfreduce},
                              Entry{"validate", validate},
                              Entry{"calibrate", calibrate},
                              Entry{"report", report},
                              Entry{"diff", diff},
                              Entry{"list", list},
                              Entry{"show", show},
                              Entry{"schema", schema}};

/// The commands, each made when it is first asked for: one has up to 150 options, and most calls
/// are of one.
class Commands {
 public:
  const Command& at(std::size_t i) {
    std::call_once(made_[i], [&] { all_[i] = kEntries[i].make(); });
    return all_[i];
  }
  std::span<const Command> all() {
    for (std::size_t i = 0; i < all_.size(); ++i) static_cast<void>(at(i));
    return all_;
  }

 private:
  std::array<std::once_flag, kEntries.size()> made_;
  std::array<Command, kEntries.size()> all_;
};

Commands& commands() {
  static Commands kCommands;
  return kCommands;
}

}  // namespace

std::span<const Command> registry() {
  return commands().all();
}

const Command* command_named(std::string_view name) {
  const auto* const found = std::find_if(kEntries.begin(), kEntries.end(),
                                         [&](const Entry& entry) { return entry.name == name; });
  if (found == kEntries.end()) return nullptr;
  return &commands().at(static_cast<std::size_t>(found - kEntries.begin()));
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
