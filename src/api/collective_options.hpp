#pragma once

#include <vector>

#include "planner/api/options.hpp"
#include "planner/commands/values/value_parsers.hpp"
#include "planner/core/quantity.hpp"

namespace planner {

/// The rows of options() that only `planner collective` has.
std::vector<Option> collective_options();

/// "1GiB", "256MB", "1e9", or a range of sizes as parse_range() reads them: "1KiB:16GiB:x4".
Parsed<std::vector<Bytes>> parse_sizes(std::string_view text);

}  // namespace planner
