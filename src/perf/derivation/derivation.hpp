#pragma once

#include <string>
#include <vector>

#include "planner/perf/derivation/explained_term.hpp"

namespace planner::inline perf {

/// Collects the derivation of a result; looks up the value of every symbol a formula uses.
class Derivation {
 public:
  void input(std::string name, double value) { known_.push_back({std::move(name), value}); }
  /// A figure that does not follow from others, with where it is from.
  void given(std::string symbol, std::string meaning, std::string source, double value,
             std::string unit);
  /// Adds a line; its symbol can be used by the lines that follow.
  void term(std::string symbol, std::string meaning, std::string equation, std::string formula,
            double value, std::string unit);
  /// A line whose value is that of its formula.
  double derived(const std::string& symbol, std::string meaning, std::string equation,
                 const std::string& formula, std::string unit);

  /// Of an input or a line so far; 0 where there is none of that name.
  [[nodiscard]] double value(const std::string& symbol) const;

  std::vector<ExplainedTerm> take() { return std::move(terms_); }

 private:
  [[nodiscard]] std::vector<Symbol> inputs_of(const std::string& formula) const;

  std::vector<Symbol> known_;
  std::vector<ExplainedTerm> terms_;
};

}  // namespace planner::perf
