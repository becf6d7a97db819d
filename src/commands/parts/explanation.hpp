#pragma once

#include <vector>

#include "planner/json/field_table.hpp"
#include "planner/perf/derivation/explained_term.hpp"
#include "planner/present/document.hpp"

namespace planner::commands {

/// Formulas with their numbers, as answers list them.
json::Codec<std::vector<ExplainedTerm>> explained_terms();

/// "How it is computed"; nothing without terms.
void add_explanation(const std::vector<ExplainedTerm>& terms, present::Document& document);

}  // namespace planner::commands
