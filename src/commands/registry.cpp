#include <algorithm>

#include "planner/commands/calibrate/calibrate.hpp"
#include "planner/commands/command.hpp"
#include "planner/commands/estimate/estimate.hpp"
#include "planner/commands/list/list.hpp"
#include "planner/commands/network/network.hpp"
#include "planner/commands/optimize/optimize.hpp"
#include "planner/commands/show/show.hpp"
#include "planner/commands/validate/validate.hpp"

namespace planner::commands {

std::span<const Command> registry() {
  static const std::vector<Command> kCommands{optimize(),  estimate(), network(), validate(),
                                              calibrate(), list(),     show()};
  return kCommands;
}

const Command* command_named(std::string_view name) {
  const auto all = registry();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace planner::commands
