#pragma once

#include <string>
#include <vector>

namespace planner::inline perf {

/// A symbol of a formula and its number in SI units.
struct Symbol {
  std::string name;  ///< as the formula writes it: "D_p"
  double value = 0;
};

/// One line of the derivation of a result: a formula in the paper's symbols with their values.
struct ExplainedTerm {
  std::string symbol;    ///< what is computed: "T_bubble_comp"
  std::string meaning;   ///< in words
  std::string equation;  ///< where the formula is printed: "Eq. 3"; may be empty
  /// As formula_value() reads it, in the symbols below; evaluating it gives `value`. Empty: a given
  /// one.
  std::string formula;
  std::vector<Symbol> inputs;
  double value = 0;
  std::string unit;  ///< "s", "B", "FLOP" or empty
};

}  // namespace planner::perf
