#include "planner/perf/timing_model.hpp"

#include <algorithm>
#include <variant>

#include "planner/perf/calibrated/calibrated.hpp"
#include "planner/perf/calibrated/explain.hpp"
#include "planner/perf/closed_form/closed_form.hpp"
#include "planner/perf/closed_form/explain.hpp"

namespace planner::inline perf {

struct Predictor::Model {
  std::variant<Calibrated, ClosedForm> of;
};

Predictor::Predictor(const Workload& workload)
    : model_(workload.timing.calibrated() ? new Model{Calibrated(workload)}
                                          : new Model{ClosedForm(workload)}) {}

Predictor::~Predictor() = default;

Prediction Predictor::evaluate(const Strategy& strategy) const {
  return std::visit([&](const auto& model) { return model.evaluate(strategy); }, model_->of);
}

Strategy Predictor::in_best_order(const Strategy& strategy) const {
  return std::visit([&](const auto& model) { return model.in_best_order(strategy); }, model_->of);
}

Prediction evaluate(const Workload& workload, const Strategy& strategy) {
  return Predictor(workload).evaluate(strategy);
}

Strategy in_best_order(const Workload& workload, const Strategy& strategy) {
  return Predictor(workload).in_best_order(strategy);
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
