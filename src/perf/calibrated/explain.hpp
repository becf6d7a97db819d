#pragma once

#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/derivation/explained_term.hpp"

namespace planner::inline perf {

/// How the calibrated model gets an iteration's time, line by line from the rates to the sum, with
/// the constants and what each rests on; docs/calibrated.md has the same formulas. The workload has
/// this timing model.
std::vector<ExplainedTerm> explain_calibrated(const Workload& workload, const Strategy& strategy);

}  // namespace planner::perf
