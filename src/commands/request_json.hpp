#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "planner/commands/command.hpp"

namespace planner::commands {

/// A request that came as JSON.
struct JsonRequest {
  const Command* command = nullptr;     ///< null: it was not understood which
  Call call{};                          ///< as far as it was understood
  std::optional<std::string> format{};  ///< in which the answer is wanted too: "csv"
  std::optional<Diagnostic> problem{};  ///< the first thing that is wrong with it
};

/// Reads {"command": "optimize", "options": {"gpus": 1024, "tp": [1, 2], "all-axes": true},
/// "arguments": ["…"], "format": "csv"}. All but the command may be left out.
///
/// Options have the names of the command line without dashes and are read by the same records: same
/// ranges, same errors. A number stands for its text, a list for its elements with commas, true for
/// a switch; null and false stand for an option that is not given, but false turns a switch off
/// that has a counterpart ("sequence-parallel", "no-sequence-parallel").
///
/// Size and nesting are bounded as those of every JSON text, see json::parse_json().
JsonRequest read_json_request(std::string_view text);

}  // namespace planner::commands
