#pragma once

#include <string_view>
#include <vector>

// What the fuzzers feed: one target for each reader of input from outside. Bad input may end in an
// InputError and in nothing else; what is accepted is written again, and used where it has a use.
namespace planner::fuzz {

using Target = void (*)(std::string_view text);

std::vector<std::string_view> target_names();
/// Null where there is none of that name.
Target target_named(std::string_view name);

}  // namespace planner::fuzz
