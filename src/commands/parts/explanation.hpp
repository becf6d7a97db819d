#pragma once

#include <vector>

#include "planner/json/field_table.hpp"
#include "planner/perf/derivation/explained_term.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// Symbols with their numbers, by name.
json::Codec<std::vector<Symbol>> symbols();
/// Formulas with their numbers, as answers list them.
json::Codec<std::vector<ExplainedTerm>> explained_terms();

/// "How it is computed"
inline present::Section explanation_heading() {
  return {"How it is computed", "SI units"};
}
present::Derivation derivation_of(const std::vector<ExplainedTerm>& terms);
/// The derivation under its heading; nothing without terms.
void add_explanation(const std::vector<ExplainedTerm>& terms, present::Document& document);

}  // namespace planner::commands
