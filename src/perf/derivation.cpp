#include "planner/perf/derivation.hpp"

#include <utility>

namespace planner {

namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool continues_name(char c) {
  return starts_name(c) || c == '_' || (c >= '0' && c <= '9');
}

std::vector<std::string> names_in(const std::string& formula) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (!starts_name(formula[i])) continue;
    std::size_t end = i;
    while (end < formula.size() && continues_name(formula[end])) ++end;
    std::string name = formula.substr(i, end - i);
    bool seen = false;
    for (const std::string& earlier : names) seen = seen || earlier == name;
    if (!seen) names.push_back(std::move(name));
    i = end;
  }
  return names;
}

}  // namespace

void Derivation::term(std::string symbol, std::string meaning, std::string equation,
                      std::string formula, double value, std::string unit) {
  ExplainedTerm term{.symbol = symbol,
                     .meaning = std::move(meaning),
                     .equation = std::move(equation),
                     .formula = std::move(formula),
                     .inputs = {},
                     .value = value,
                     .unit = std::move(unit)};
  for (const std::string& name : names_in(term.formula)) {
    for (const Symbol& symbol_known : known_) {
      if (symbol_known.name == name) term.inputs.push_back(symbol_known);
    }
  }
  known_.push_back({std::move(symbol), value});
  terms_.push_back(std::move(term));
}

}  // namespace planner
