#include "planner/perf/timing_model.hpp"

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/closed_form/closed_form.hpp"

namespace planner {

Prediction evaluate(const Workload& workload, const Strategy& strategy) {
  if (workload.calibration) return Calibrated(workload).evaluate(strategy);
  return ClosedForm(workload).evaluate(strategy);
}

}  // namespace planner
