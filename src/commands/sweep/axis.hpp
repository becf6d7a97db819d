#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/commands/values/value_parsers.hpp"

namespace planner::commands {

/// One parameter of a sweep and the values it takes, as its option reads them.
struct SweepAxis {
  std::string option;  ///< without dashes: "hb-domain"
  std::vector<std::string> values;

  bool operator==(const SweepAxis&) const = default;
};

/// The number that the option of this name reads: 16000 in "16K" of gpus, 1024 in "1KiB" of bytes.
/// Nothing where the text is a word.
std::optional<double> number_in(std::string_view option, std::string_view text);

/// Reads "hb-domain=1,2,4", "global-batch=256:4096:x2" (each value so many times the one before) or
/// "pp=1:8:+1" (each value so much more); lists may hold ranges. At least one value, each once.
Parsed<SweepAxis> parse_sweep_axis(std::string_view text);

}  // namespace planner::commands
