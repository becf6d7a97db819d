#include "planner/job/value_below.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/core/divisors.hpp"
#include "planner/job/strategy.hpp"
#include "planner/perf/machine/torus.hpp"
#include "planner/search/least_times.hpp"

namespace planner::job {

std::optional<Seconds> value_below(Seconds known, const Workload& workload,
                                   const SearchSpace& space, SearchOptions options) {
  const std::int64_t usable = usable_hb_domain(workload.system.hb_domain, workload.gpus);
  // Parts of a torus have no link to each other that the whole has not.
  const std::optional<DomainTorus>& torus = workload.system.torus;
  const bool whole = torus && !all_joined(*torus);
  std::vector<std::int64_t> parts = whole ? std::vector{usable} : divisors(usable);
  std::reverse(parts.begin(), parts.end());
  const FitRule rule = fit_rule(workload, options.least_p_fits);
  std::optional<Seconds> least;
  for (const std::int64_t gpus : parts) {
    Workload part = workload;
    if (gpus < usable) part.system.hb_domain = gpus;
    LeastTimes times(part, space, LeastTimes::Counting::messages);
    options.known_time = least.value_or(known);
    options.least_times = &times;
    const SearchResult found = search_all(part, space, options);
    if (found.best.empty()) continue;
    const Seconds value = found.best.front().value(rule);
    if (value < options.known_time) least = value;
  }
  return least;
}

}  // namespace planner::job
