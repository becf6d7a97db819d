#pragma once

#include <string>
#include <vector>

#include "planner/commands/peers.hpp"
#include "planner/core/exit_code.hpp"

namespace planner {

/// How a process ends.
struct Ended {
  ExitCode code = ExitCode::done;
  std::vector<Diagnostic> unsaid{};  ///< what is wrong, of a process that shows nothing
};

/// Answers what the arguments after the program's name ask, on standard output or in a file.
/// @param peers  processes that answer it together, of which the first shows it; null: this alone
Ended run_command_line(const std::vector<std::string>& arguments,
                       const commands::Peers* peers = nullptr);

}  // namespace planner
