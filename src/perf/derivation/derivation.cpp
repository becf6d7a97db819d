#include "planner/perf/derivation/derivation.hpp"

#include <utility>

#include "planner/perf/derivation/formula.hpp"

namespace planner::inline perf {

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

std::vector<Symbol> Derivation::inputs_of(const std::string& formula) const {
  std::vector<Symbol> inputs;
  for (const std::string& name : names_in(formula)) {
    for (const Symbol& known : known_) {
      if (known.name == name) inputs.push_back(known);
    }
  }
  return inputs;
}

double Derivation::value(const std::string& symbol) const {
  for (const Symbol& known : known_) {
    if (known.name == symbol) return known.value;
  }
  return 0;
}

void Derivation::given(std::string symbol, std::string meaning, std::string source, double value,
                       std::string unit) {
  known_.push_back({symbol, value});
  terms_.push_back({.symbol = std::move(symbol),
                    .meaning = std::move(meaning),
                    .equation = std::move(source),
                    .formula = {},
                    .inputs = {},
                    .value = value,
                    .unit = std::move(unit)});
}

void Derivation::term(std::string symbol, std::string meaning, std::string equation,
                      std::string formula, double value, std::string unit) {
  std::vector<Symbol> inputs = inputs_of(formula);
  known_.push_back({symbol, value});
  terms_.push_back({.symbol = std::move(symbol),
                    .meaning = std::move(meaning),
                    .equation = std::move(equation),
                    .formula = std::move(formula),
                    .inputs = std::move(inputs),
                    .value = value,
                    .unit = std::move(unit)});
}

double Derivation::derived(const std::string& symbol, std::string meaning, std::string equation,
                           const std::string& formula, std::string unit) {
  const double value = formula_value(formula, inputs_of(formula));
  term(symbol, std::move(meaning), std::move(equation), formula, value, std::move(unit));
  return value;
}

}  // namespace planner::perf
