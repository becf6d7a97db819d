#pragma once

#include <string>
#include <vector>

#include "planner/perf/derivation/explained_term.hpp"

namespace planner::inline perf {

/// Value of a formula: an expression (core/expression.hpp) of symbols.
/// @throws std::invalid_argument  where it is none, or has a symbol that is not given
double formula_value(const std::string& formula, const std::vector<Symbol>& symbols);

}  // namespace planner::perf
