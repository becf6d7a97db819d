#pragma once

#include <functional>
#include <string>
#include <vector>

#include "planner/commands/reply.hpp"

// Several processes that answer one call: planner-mpi.
namespace planner::commands {

/// Processes that are given the same call and answer it together. Each goes through all of it and
/// has the whole answer.
struct Peers {
  std::size_t rank = 0, size = 1;
  /// The texts of all, in the order of ranks. All call it at once, as often.
  /// @throws PeerLost
  std::function<std::vector<std::string>(const std::string& own)> share{};
};

/// Another process has ended before the answer.
class PeerLost : public InputError {
 public:
  using InputError::InputError;
};

/// The commands whose work several processes share. They refer to `peers`.
std::vector<Command> shared_commands(const Peers& peers);

/// Answers a call of a command that need not be in the registry, else as reply_to().
Reply reply_of(const Command& command, const Call& call, const Control& control);

}  // namespace planner::commands
