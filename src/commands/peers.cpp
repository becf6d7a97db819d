#include "planner/commands/peers.hpp"

#include "planner/commands/design/together.hpp"
#include "planner/commands/sweep/sweep.hpp"

namespace planner::commands {

std::vector<Command> shared_commands(const Peers& peers) {
  return {design(peers), sweep(peers)};
}

}  // namespace planner::commands
