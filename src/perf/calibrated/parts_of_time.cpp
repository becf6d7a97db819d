// Parts of an iteration that depend on fewer choices than all of it: what a search knows of many
// strategies at once.
#include <algorithm>

#include "planner/perf/calibrated/calibrated.hpp"

namespace planner::inline perf {

Seconds Calibrated::untied_time(const Stage& stage, const Pipeline& on) const {
  const Seconds waited = on.p > 1 ? bubble(stage, on) : Seconds{};
  return own_ * (1 + straggling_) * (on.m * stage.slowest + waited);
}

Seconds Calibrated::sends_time(const Synchronisation& sync, Seconds stage,
                               const Pipeline& on) const {
  const ShownSends sends = shown_sends(sync, stage, on);
  return own_ * (1 + straggling_) * (sends.of_bubble + sends.of_stage);
}

// However much work there is, it hides no more than all but the shares that cannot overlap; see
// exposed() and kInStep.
Seconds Calibrated::least_tied_time(const Synchronisation& sync, double micros) const {
  const double share = stack_.dp_exposed;
  Seconds least =
      sync.zero3 ? share * sync.replicas : share * sync.gradients + sync.gathers + sync.growth;
  if (sync.by_hfreduce) least = std::min(least, share * *sync.by_hfreduce);
  least = least + (sync.zero3 ? micros : micros - 1) * stack_.fsdp_exposed * sync.per_micro;
  return own_ * (1 + straggling_) * least;
}

}  // namespace planner::perf
