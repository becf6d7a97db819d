#include "planner/search/placement.hpp"

#include "planner/perf/model/placement.hpp"
#include "planner/perf/timing_model.hpp"

namespace planner::inline search {

std::optional<Strategy> fastest_placement(const Workload& workload, const SearchSpace& space,
                                          const Strategy& strategy) {
  const Predictor predictor(workload);
  std::optional<Strategy> best;
  Seconds best_time{};
  for (const Strategy& placed : Enumeration(workload, space).placements(column_of(strategy))) {
    const Strategy candidate = predictor.in_best_order(placed_as(placed, strategy));
    const Seconds time = predictor.evaluate(candidate).time.total();
    if (best && !(time < best_time)) continue;
    best = candidate;
    best_time = time;
  }
  return best;
}

}  // namespace planner::search
