#pragma once

#include <string>
#include <vector>

#include "planner/commands/peers.hpp"

namespace planner {

/// Answers what the arguments after the program's name ask, on standard output or in a file.
/// @param peers  processes that answer it together, of which the first shows it; null: this alone
/// @param unsaid  gets what is wrong where another process says so
ExitCode run_command_line(const std::vector<std::string>& arguments,
                          const commands::Peers* peers = nullptr, std::string* unsaid = nullptr);

}  // namespace planner
