#pragma once

#include <span>
#include <string>

#include "planner/core/diagnostic.hpp"

// What is wrong with a request that cannot be understood, in the words that the command line and
// the C library share.
namespace planner {

Diagnostic misuse(std::string message, std::string hint = {});

/// A hint: the candidate that was most likely meant, or what to say where none is near.
std::string did_you_mean(const std::string& word, std::span<const std::string> candidates,
                         std::string otherwise);

/// Throws the UsageError of a missing or contradictory option.
[[noreturn]] void usage_error(std::string message, std::string hint = {});

}  // namespace planner
