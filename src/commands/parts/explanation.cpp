#include "planner/commands/parts/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/json/answer_fields.hpp"

namespace planner::commands {

namespace {

using namespace json;

const FieldTable<ExplainedTerm>& term_table() {
  using T = ExplainedTerm;
  static const FieldTable<T> kTable{
      .type = "term",
      .doc = "a formula with its numbers, SI units",
      .fields = {required("symbol", &T::symbol, any_text(), "what is computed"),
                 required("meaning", &T::meaning, any_text(), "in words"),
                 required("equation", &T::equation, any_text(), "where it is printed"),
                 required("formula", &T::formula, any_text(), "empty: a given figure"),
                 required("inputs", &T::inputs, symbols(), "the formula's symbols"),
                 required("value", &T::value, figure(), "of the formula"),
                 required("unit", &T::unit, any_text(), "of the value")},
      .open = true};
  return kTable;
}

/// The formula with each symbol replaced by its number.
std::string filled_in(const ExplainedTerm& term) {
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  std::string text;
  for (std::size_t i = 0; i < term.formula.size();) {
    if (!is_name(term.formula[i])) {
      text += term.formula[i++];
      continue;
    }
    std::size_t end = i;
    while (end < term.formula.size() && is_name(term.formula[end])) ++end;
    const std::string name = term.formula.substr(i, end - i);
    const auto symbol = std::find_if(term.inputs.begin(), term.inputs.end(),
                                     [&](const Symbol& s) { return s.name == name; });
    text += symbol == term.inputs.end() ? name : fmt::format("{:.5g}", symbol->value);
    i = end;
  }
  return text;
}

/// Multiplication as people write it, Greek letters as the paper does.
std::string typeset(std::string text) {
  for (const auto& [plain, pretty] :
       {std::pair{" * ", "·"}, std::pair{"alpha", "α"}, std::pair{"gamma", "γ"}}) {
    for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos;) {
      text.replace(at, std::string_view{plain}.size(), pretty);
    }
  }
  return text;
}

}  // namespace

Codec<std::vector<Symbol>> symbols() {
  using Pairs = std::vector<std::pair<std::string, double>>;
  return written_as<std::vector<Symbol>>(
      named(figure()),
      [](const std::vector<Symbol>& inputs) {
        Pairs pairs;
        for (const Symbol& symbol : inputs) pairs.emplace_back(symbol.name, symbol.value);
        return pairs;
      },
      [](const Pairs& pairs) {
        std::vector<Symbol> inputs;
        for (const auto& [name, value] : pairs) inputs.push_back({name, value});
        return inputs;
      });
}

Codec<std::vector<ExplainedTerm>> explained_terms() {
  return list(object(term_table()));
}

present::Derivation derivation_of(const std::vector<ExplainedTerm>& terms) {
  present::Derivation derivation;
  for (const ExplainedTerm& term : terms) {
    present::Cell value = present::number(term.value, term.unit);
    value.text = fmt::format("{:.6g}{}{}", term.value, term.unit.empty() ? "" : " ", term.unit);
    const bool given = term.formula.empty();
    derivation.terms.push_back({.symbol = given ? term.symbol : typeset(term.symbol),
                                .meaning = term.meaning,
                                .equation = term.equation,
                                .formula = typeset(term.formula),
                                .filled = term.inputs.empty() ? "" : typeset(filled_in(term)),
                                .value = std::move(value)});
  }
  return derivation;
}

void add_explanation(const std::vector<ExplainedTerm>& terms, present::Document& document) {
  if (terms.empty()) return;
  document.add(explanation_heading());
  document.add(derivation_of(terms));
}

}  // namespace planner::commands
