#include "planner/design/rentable.hpp"

#include <cmath>

#include "planner/design/floor.hpp"
#include "planner/search/space.hpp"

namespace planner::design {

RentableGpus rentable(const Space& space, const Question& question, std::size_t system) {
  const std::int64_t most = question.limits.gpus.value_or(space.gpus.to);
  const double longest = question.limits.days.value_or(HUGE_VAL);
  RentableGpus found;
  for (std::uint32_t batch = 0; batch < space.batches.size(); ++batch) {
    Workload job = job_of(space, system, batch, 1);
    const TimeFloor floor(job);
    const double rounds = iterations(space, batch);
    job.gpus = most;
    for (const std::int64_t used :
         legal_gpu_counts(job, run_on(space, system, batch).strategies, most)) {
      const auto [entry, is_new] = found.late.try_emplace(used);
      if (is_new) {
        job.gpus = used;
        entry->second = lateness(job, question.confidence);
      }
      const Seconds least = rounds * floor.of(used);
      if ((entry->second.factor * least).in(units::day) > kForRounding * longest) continue;
      found.all.push_back({.used = used, .batch = batch, .floor = least, .late = &entry->second});
    }
  }
  return found;
}

}  // namespace planner::design
