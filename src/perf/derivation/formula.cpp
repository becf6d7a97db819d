#include "planner/perf/derivation/formula.hpp"

#include <algorithm>
#include <optional>

#include "planner/core/expression.hpp"

namespace planner::inline perf {

double formula_value(const std::string& formula, const std::vector<Symbol>& symbols) {
  return expression_value(formula, [&](const std::string& name) -> std::optional<double> {
    const auto found = std::find_if(symbols.begin(), symbols.end(),
                                    [&](const Symbol& each) { return each.name == name; });
    if (found == symbols.end()) return std::nullopt;
    return found->value;
  });
}

}  // namespace planner::perf
