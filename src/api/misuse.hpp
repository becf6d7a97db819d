#pragma once

#include <span>
#include <string>

#include "planner/api/request.hpp"
#include "planner/core/diagnostic.hpp"
#include "planner/core/usage.hpp"

// What is wrong with a request that cannot be understood, in the words that the command line and
// the C library share.
namespace planner {

/// `name` is no command.
Diagnostic unknown_command(const std::string& name);

/// `flag` ("--gpu") is no option of the command.
/// @param more  flags that the command has besides those of the option table
Diagnostic unknown_flag(const std::string& flag, Command command,
                        std::span<const std::string> more = {});

/// A command was given an argument that it has no place for.
Diagnostic unexpected_argument(const std::string& argument, Command command);

}  // namespace planner
