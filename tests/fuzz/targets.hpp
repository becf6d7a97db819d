#pragma once

#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/catalog/catalog.hpp"
#include "planner/catalog/measured/runs.hpp"

// What the fuzzers feed: one target for each reader of input from outside. Bad input may end in an
// InputError and in nothing else; what is accepted is written again, and used where it has a use.
namespace planner::fuzz {

using Target = void (*)(std::string_view text);

/// Makes the targets of a source file known to the programs that it is linked into.
struct Targets {
  Targets(std::initializer_list<std::pair<const std::string_view, Target>> targets);
};

/// In the order of the alphabet.
std::vector<std::string_view> target_names();
/// Null where there is none of that name.
Target target_named(std::string_view name);

/// The shipped one.
const catalog::Catalog& catalog();
/// Their GPUs are those of the catalog.
std::vector<MeasuredRow> read_measured_rows(std::string_view text);

}  // namespace planner::fuzz
