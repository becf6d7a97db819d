#pragma once

#include <vector>

#include "planner/domain/run.hpp"
#include "planner/domain/strategy.hpp"
#include "planner/perf/explained_term.hpp"

namespace planner {

/// How the calibrated model puts an iteration together from the times of one micro-batch in the
/// mean layer; docs/calibrated.md derives those. The workload has a calibration.
std::vector<ExplainedTerm> explain_calibrated(const Workload& workload, const Strategy& strategy);

}  // namespace planner
