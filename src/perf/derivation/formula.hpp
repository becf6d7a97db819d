#pragma once

#include <string>
#include <vector>

#include "planner/perf/derivation/explained_term.hpp"

namespace planner::inline perf {

/// Value of a formula: + - * / ^ ( ), numbers, symbols, and the functions max(a, …), min(a, …),
/// ceil(a), floor(a), log2(a) and choose(a, k), the ways to take k of a.
/// @throws std::invalid_argument  where it is none, or has a symbol that is not given
double formula_value(const std::string& formula, const std::vector<Symbol>& symbols);

}  // namespace planner::perf
