#pragma once

#include <vector>

#include "planner/domain/run.hpp"
#include "planner/perf/derivation/explained_term.hpp"
#include "planner/perf/model/prediction.hpp"

// What a workload's timing model says, whichever it is.
namespace planner::inline perf {

/// Time and memory of a legal strategy.
Prediction evaluate(const Workload& workload, const Strategy& strategy);

/// How it gets there, line by line.
std::vector<ExplainedTerm> explain(const Workload& workload, const Strategy& strategy);

}  // namespace planner::perf
