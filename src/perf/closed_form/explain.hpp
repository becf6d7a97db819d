#pragma once

#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/derivation/explained_term.hpp"

namespace planner::inline perf {

/// How the closed-form model gets a strategy's time and memory, from the inputs to the totals, each
/// term in its own line.
std::vector<ExplainedTerm> explain_closed_form(const Workload& workload, const Strategy& strategy);

}  // namespace planner::perf
