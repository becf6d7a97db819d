#include "planner/perf/timing_model.hpp"

#include <algorithm>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explain.hpp"
#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/closed_form/explain.hpp"

namespace planner::inline perf {

Prediction evaluate(const Workload& workload, const Strategy& strategy) {
  return workload.timing.calibrated() ? Calibrated(workload).evaluate(strategy)
                                      : ClosedForm(workload).evaluate(strategy);
}

std::vector<Prediction> evaluate(const Workload& workload, std::span<const Strategy> strategies) {
  const auto by = [&](const auto& model) {
    std::vector<Prediction> all;
    all.reserve(strategies.size());
    for (const Strategy& one : strategies) all.push_back(model.evaluate(one));
    return all;
  };
  return workload.timing.calibrated() ? by(Calibrated(workload)) : by(ClosedForm(workload));
}

Strategy in_best_order(const Workload& workload, const Strategy& strategy) {
  return workload.timing.calibrated() ? Calibrated(workload).in_best_order(strategy)
                                      : ClosedForm(workload).in_best_order(strategy);
}

CommunicationTimes communication_times(const Workload& workload, const Strategy& strategy) {
  return workload.timing.calibrated() ? Calibrated(workload).communication_times(strategy)
                                      : ClosedForm(workload).communication_times(strategy);
}

Seconds exposed_network_time(const Workload& workload, const Strategy& strategy) {
  // So fast that what is left is less than a double tells.
  constexpr double kNoTime = 1e18;
  Workload free = workload;
  free.routing.reset();
  free.network_tiers.clear();
  free.storage_traffic = {};
  free.system.network_bandwidth = kNoTime * workload.system.network_bandwidth;
  const Seconds time = evaluate(workload, strategy).time.total();
  return std::max(Seconds{}, time - evaluate(free, strategy).time.total());
}

std::vector<ExplainedTerm> explain(const Workload& workload, const Strategy& strategy) {
  return workload.timing.calibrated() ? explain_calibrated(workload, strategy)
                                      : explain_closed_form(workload, strategy);
}

}  // namespace planner::perf
