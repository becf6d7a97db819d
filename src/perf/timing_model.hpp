#pragma once

#include <memory>
#include <vector>

#include "planner/domain/run.hpp"
#include "planner/perf/derivation/explained_term.hpp"
#include "planner/perf/model/prediction.hpp"

// What a workload's timing model says, whichever it is.
namespace planner::inline perf {

/// For several strategies of one workload, which it does not refer to: what they share is worked
/// out once.
class Predictor {
 public:
  explicit Predictor(const Workload& workload);
  ~Predictor();

  /// Time and memory of a legal strategy.
  [[nodiscard]] Prediction evaluate(const Strategy& strategy) const;
  /// It with stages or replicas outermost, where there is a choice and which is faster.
  [[nodiscard]] Strategy in_best_order(const Strategy& strategy) const;

 private:
  struct Model;
  std::unique_ptr<const Model> model_;
};

/// The same of one strategy.
Prediction evaluate(const Workload& workload, const Strategy& strategy);
Strategy in_best_order(const Workload& workload, const Strategy& strategy);

/// What each axis communicates in an iteration, and how much of that shows.
CommunicationTimes communication_times(const Workload& workload, const Strategy& strategy);
/// By how much an iteration would be shorter if bytes took no time beyond HB domains and PCIe. What
/// hides behind other work, and each message's latency, does not count.
Seconds exposed_network_time(const Workload& workload, const Strategy& strategy);

/// How it gets there, line by line.
std::vector<ExplainedTerm> explain(const Workload& workload, const Strategy& strategy);

}  // namespace planner::perf
