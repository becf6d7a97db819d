// What binds is the best time with more of one resource among plans as sure to fit: what timing all
// of them finds, and never slower.
#include "planner/job/what_binds.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "planner/job/strategy.hpp"
#include "planner/perf/metrics.hpp"
#include "planner/perf/timing_model.hpp"
#include "planner/search/least_times.hpp"
#include "planner/search/search.hpp"
#include "support/random_workloads.hpp"

using namespace planner;
using namespace planner::testing;

namespace {

Workload with_more(Workload workload, const std::string& resource) {
  System& system = workload.system;
  constexpr double kMore = 1 + job::kSensitivityStep;
  if (resource == "memory") set_memory(system.accelerator, kMore * memory_limit(workload));
  if (resource == "HB bandwidth") system.hb_bandwidth = kMore * system.hb_bandwidth;
  if (resource == "network bandwidth") system.network_bandwidth = kMore * system.network_bandwidth;
  return workload;
}

}  // namespace

TEST_CASE("with more of a resource the fastest of plans as sure to fit is found") {
  Random random(20261130);
  int looked_at = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    Workload workload = random_calibrated_workload(random);
    workload.system.accelerator.memory = random.scale(3.6, 20) * units::GB;
    workload.system.accelerator.driver_memory.reset();
    const SearchSpace space = all_calibrated_axes(workload);
    std::vector<SearchedColumn> columns;
    const SearchOptions options{
        .top = 1, .threads = 1, .searched = &columns, .told_up_to = 1 + job::kSensitivityStep};
    const SearchResult found = rank_strategies(workload, space, options);
    if (found.best.empty()) continue;
    const Plan best = make_plan(workload, found.best.front().strategy);
    const Seconds time = best.time.total();
    const double as_sure = fit_rule(workload).least_as_sure(best.memory.total());
    LeastTimes least(workload, space, LeastTimes::Counting::messages);
    for (const job::Sensitivity& one : job::what_binds(workload, space, options, best, least)) {
      CAPTURE(one.resource);
      CHECK(one.change <= 0);
      if (one.resource == "peak FLOP/s") continue;
      const Workload larger = with_more(workload, one.resource);
      const SearchOptions all{
          .top = 1, .threads = 1, .least_p_fits = as_sure, .prune = false, .count = false};
      CHECK(one.time == std::min(time, rank_by_time(larger, space, all).best.front().time));
      ++looked_at;
    }
  }
  CHECK(looked_at > 300);
}
