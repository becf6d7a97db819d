#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/commands/option.hpp"
#include "planner/domain/reliability.hpp"

namespace planner::commands {

/// What fails, and what is done about it.
struct FailureChoice {
  std::optional<std::string> rates;
  ReliabilitySettings how;

  bool operator==(const FailureChoice&) const = default;
};

std::vector<OptionOf<FailureChoice>> failure_options();

}  // namespace planner::commands
