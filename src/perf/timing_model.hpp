#pragma once

#include "planner/domain/run.hpp"
#include "planner/perf/model/prediction.hpp"

namespace planner {

/// Time and memory of a legal strategy by the workload's timing model: the calibrated one where the
/// workload has a calibration, the closed form otherwise.
Prediction evaluate(const Workload& workload, const Strategy& strategy);

}  // namespace planner
